// Asks this page's own server for what is new and puts it in place; what was focused, opened or
// scrolled to stays so.
(function () {
  "use strict";
  const news = document.getElementById("news");
  let failures = 0;

  function replace(text) {
    const room = document.getElementById("room");
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("room");
    if (!fresh) return;
    const scrolled = [...room.querySelectorAll(".scrolls")].map((e) => e.scrollLeft);
    const inside = room.contains(document.activeElement);
    room.replaceWith(document.adoptNode(fresh));
    [...fresh.querySelectorAll(".scrolls")].forEach((e, n) => {
      e.scrollLeft = scrolled[n] || 0;
    });
    if (inside) (fresh.querySelector(".scrolls") || document.getElementById("content")).focus();
    if (fresh.dataset.news) news.textContent = fresh.dataset.news;
  }

  async function ask() {
    const seen = document.getElementById("room").dataset.live;
    try {
      const answer = await fetch("now?seen=" + encodeURIComponent(seen), { cache: "no-store" });
      failures = answer.ok ? 0 : failures + 1;
      if (answer.status === 200) replace(await answer.text());
      if (!answer.ok) news.textContent = "The room cannot be read now; this is how it stood.";
    } catch {
      failures += 10; // nobody serves it any more
    }
    if (failures > 30) {
      news.textContent = "The view has ended; this is how the room stood.";
      return;
    }
    setTimeout(ask, failures ? 1000 : 100);
  }

  ask();
})();
