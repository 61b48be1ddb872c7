/// How the page of an explanation looks, and the little that its keyboard does.
enum ExplanationStyle {
  static let css = """
    :root { color-scheme: light dark; --paper: #fff; --ground: #f3f4f6; --ink: #15181d; --soft: #566070; --line: #d5dae1;
      --accent: #0b57c2; --bad: #b3140e; --bad-ground: #fdeceb; --good: #146c2e; --good-ground: #e7f6ea;
      --mark: #7a4d00; --mark-ground: #fff3d6; --world: #7a3fa0; --scanner: #00696b; --models: #0b57c2; --screen: #8a4b00;
      --user: #146c2e; --dim: rgb(21 24 29 / .38); }
    @media (prefers-color-scheme: dark) { :root { --paper: #1b1f26; --ground: #101318; --ink: #e8ebf0; --soft: #a3adbb;
      --line: #343b47; --accent: #7db2ff; --bad: #ff938b; --bad-ground: #3a1a19; --good: #7fd693; --good-ground: #16301d;
      --mark: #f3c66b; --mark-ground: #362a10; --world: #d0a3f0; --scanner: #62d0d0; --models: #7db2ff; --screen: #f0b070;
      --user: #7fd693; --dim: rgb(0 0 0 / .6); } }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
    body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
      font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
    main { max-width: 72rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
    h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; }
    h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
    h3 { font-size: 1.05rem; margin: 0; }
    h4 { font-size: .95rem; margin: 0 0 .4rem; }
    p { margin: .25rem 0; }
    a { color: var(--accent); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    code, .code { font: .88em/1.45 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
    .soft { color: var(--soft); }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .facts { display: flex; flex-wrap: wrap; gap: .2rem 1.25rem; margin: .5rem 0 0; padding: 0; list-style: none;
      color: var(--soft); font-size: .92rem; }
    .badge { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; font-weight: 600; font-size: .9rem; }
    .badge.good { background: var(--good-ground); color: var(--good); }
    .badge.bad { background: var(--bad-ground); color: var(--bad); }
    .failure, .difference { margin: .75rem 0; padding: .6rem .8rem; border-left: 4px solid var(--bad);
      background: var(--bad-ground); border-radius: 0 .4rem .4rem 0; }
    .failure strong { color: var(--bad); }
    .failure pre { margin: .3rem 0 0; white-space: pre-wrap; }
    .difference { border-color: var(--mark); background: var(--mark-ground); }
    .difference strong { color: var(--mark); }
    .difference dl { margin: .3rem 0 0; }
    .difference dt { font-size: .85rem; color: var(--soft); }
    .difference dd { margin: 0 0 .3rem; }
    .lanes { position: relative; overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; }
    .lanes table { border-collapse: collapse; min-width: 100%; }
    .lanes th { font-weight: 600; font-size: .85rem; text-align: left; }
    .lanes tbody th { position: sticky; left: 0; z-index: 1; padding: .2rem .7rem; background: var(--paper);
      border-right: 1px solid var(--line); white-space: nowrap; }
    .lanes thead th, .lanes thead td { padding: .45rem .1rem .3rem; vertical-align: bottom; border-bottom: 1px solid var(--line); }
    .lanes thead td { position: sticky; left: 0; z-index: 1; background: var(--paper); border-right: 1px solid var(--line);
      padding-left: .7rem; font-size: .8rem; color: var(--soft); }
    .lanes thead th { text-align: center; }
    .lanes thead td, .lanes tbody th { width: 1%; }
    .lanes thead span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; font-weight: 400; }
    .lanes td { padding: 0; height: 1.85rem; min-width: 1.5rem; text-align: center; }
    .lanes .later { border-left: 1px dashed var(--line); }
    .lanes tbody tr + tr > * { border-top: 1px solid var(--line); }
    .lanes td a { display: grid; place-items: center; min-height: 1.85rem; color: inherit; text-decoration: none; }
    .lanes td a::before { content: ""; width: .72rem; height: .72rem; border-radius: 50%; background: currentColor; }
    .lanes td.many a::before { width: .95rem; height: .95rem; }
    .lanes td.wrong a::before { border-radius: 0; transform: rotate(45deg); background: var(--bad); outline: 2px solid var(--bad-ground); }
    .lanes td.on { background: color-mix(in srgb, currentColor 16%, transparent); }
    .lanes td.over { background: color-mix(in srgb, currentColor 34%, transparent); }
    .world { color: var(--world); } .scanner { color: var(--scanner); } .models { color: var(--models); }
    .screen { color: var(--screen); } .user { color: var(--user); } .run { color: var(--soft); }
    .step { margin: 1rem 0 0; padding: .9rem 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; }
    .step.wrong { border-color: var(--bad); }
    .step > header { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
    .step > header .soft { margin-left: auto; font-size: .88rem; }
    .step.small { padding-block: .5rem; }
    .holds { color: var(--good); font-weight: 600; }
    .moment { display: grid; gap: .8rem 1.5rem; margin-top: .8rem; padding-top: .8rem; border-top: 1px solid var(--line); }
    .moment.still { padding-top: .5rem; }
    .moment > * { min-width: 0; }
    .events { list-style: none; margin: 0; padding: 0; font-size: .93rem; }
    .events li { display: grid; grid-template-columns: 5rem 1fr; gap: .6rem; padding: .08rem 0; }
    .events .lane { font-size: .82rem; font-weight: 600; padding-top: .08rem; }
    .events .here { background: var(--mark-ground); outline: 2px solid var(--mark-ground); }
    table.state { border-collapse: collapse; margin: .6rem 0 0; font-size: .92rem; }
    table.state caption { text-align: left; font-weight: 600; font-size: .85rem; color: var(--soft); }
    table.state th, table.state td { text-align: left; vertical-align: top; padding: .1rem 1rem .1rem 0; font-weight: 400; }
    table.state th { color: var(--soft); white-space: nowrap; }
    table.state td:first-of-type { min-width: 5rem; }
    table.state .after { font-weight: 600; }
    .device { display: grid; align-self: start; border: 1px solid var(--line); border-radius: .9rem; overflow: hidden;
      background: var(--ground); max-width: 23rem; width: 100%; margin: 0; }
    .device > * { grid-area: 1 / 1; min-width: 0; }
    .list { padding: .5rem .6rem .7rem; }
    .device ul { list-style: none; margin: 0 0 .6rem; padding: 0; background: var(--paper); border-radius: .6rem; }
    .device ul:last-child { margin-bottom: 0; }
    .device li { display: flex; align-items: center; gap: .5rem; padding: .3rem .6rem; min-height: 2rem; }
    .device li + li { border-top: 1px solid var(--line); }
    .device .name { flex: 1; min-width: 0; white-space: pre-wrap; }
    .device .out .name { color: var(--soft); }
    .device .chosen .name { font-weight: 600; }
    .device .note { display: block; font-size: .78rem; font-weight: 400; color: var(--soft); }
    .news { font-size: .72rem; font-weight: 600; padding: 0 .4rem; border-radius: 1rem; background: var(--mark-ground); color: var(--mark); }
    .switch { width: 2.2rem; height: 1.25rem; border-radius: 1rem; background: var(--soft); position: relative; flex: none; }
    .switch::after { content: ""; position: absolute; inset: .14rem auto .14rem .16rem; aspect-ratio: 1; border-radius: 50%; background: #fff; }
    .switch.on { background: var(--good); }
    .switch.on::after { inset: .14rem .16rem .14rem auto; }
    svg { flex: none; fill: currentColor; }
    .bars { width: 1.15rem; height: 1rem; }
    .bars .no { opacity: .25; }
    .lock { width: .8rem; height: 1rem; color: var(--soft); }
    .tick { width: .9rem; height: .9rem; color: var(--accent); }
    .layer { z-index: 1; padding: 2.6rem .6rem .6rem; background: var(--dim); display: grid; align-items: end; }
    .layer.page { padding: 0; background: var(--ground); align-items: start; }
    .layer.alert { padding: 1rem 1.6rem; align-items: center; }
    .card { background: var(--paper); border-radius: .8rem; padding: .7rem .8rem; }
    .page .card { border-radius: 0; min-height: 100%; }
    .alert .card { text-align: center; box-shadow: 0 2px 14px rgb(0 0 0 / .35); }
    .card .kind { font-size: .75rem; color: var(--soft); }
    .card .name { font-weight: 600; display: block; }
    .card .buttons { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .5rem; }
    .alert .buttons { justify-content: center; }
    .button { border: 1px solid var(--line); border-radius: .5rem; padding: .1rem .7rem; color: var(--accent); font-weight: 600; font-size: .9rem; }
    .keys { font-size: .85rem; color: var(--soft); }
    kbd { font: .85em ui-monospace, "DejaVu Sans Mono", monospace; border: 1px solid var(--line); border-radius: .25rem; padding: 0 .3rem; background: var(--paper); }
    footer { margin-top: 2rem; color: var(--soft); font-size: .9rem; }
    @media (min-width: 56rem) { .moment.seen { grid-template-columns: 22rem 1fr; } main { padding-inline: 2rem; } }
    @media (max-width: 30rem) { main { padding-inline: .75rem; } .step { padding: .75rem; } h1 { font-size: 1.35rem; }
      .events li { grid-template-columns: 4.2rem 1fr; gap: .4rem; } .lanes tbody th { padding-inline: .5rem; } }
    @media print { body { background: none; } .step { break-inside: avoid; } .keys { display: none; } }
    """

  /// Steps with the keys j and k, or n and p; f goes to the failure.
  ///
  /// Everything can be read without.
  static let script = """
    addEventListener("keydown", function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) { return; }
      var steps = Array.from(document.querySelectorAll(".step"));
      var index = steps.indexOf(document.activeElement.closest(".step"));
      var next = null;
      if (event.key === "j" || event.key === "n") { next = steps[Math.min(index + 1, steps.length - 1)]; }
      if (event.key === "k" || event.key === "p") { next = steps[Math.max(index - 1, 0)]; }
      if (event.key === "f") { next = document.querySelector(".step.wrong"); }
      if (next) { event.preventDefault(); next.focus(); next.scrollIntoView({ block: "start" }); }
    });
    """
}
