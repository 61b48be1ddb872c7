import Determinism
import Models
import ScanTools
import WiFi

extension Explanation {
  /// The run as one HTML page that needs nothing else: no other file, no network, no script to be read.
  public var page: String {
    var html = HTMLWriter()
    html.raw("<!DOCTYPE html>\n")
    html.element("html", [("lang", "en")]) { html in
      html.element("head") { html in
        html.void("meta", [("charset", "utf-8")])
        html.void("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
        // Nothing may be loaded from anywhere, whatever a network is called.
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
        html.void("meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)])
        html.element("title", [], "\(failures.isEmpty ? "Passed" : "Failed"): \(title)")
        html.element("style") { $0.raw("\n" + ExplanationStyle.css + "\n") }
      }
      html.newline()
      html.element("body") { html in
        html.element("main") { html in body(&html) }
        html.newline()
        html.element("script") { $0.raw("\n" + ExplanationStyle.script + "\n") }
      }
    }
    html.newline()
    return html.text
  }

  private func body(_ html: inout HTMLWriter) {
    html.element("header") { html in
      html.element("h1") { $0.element("bdi", [], title) }
      if let about { html.element("p") { $0.element("bdi", [], about) } }
      html.element("ul", [("class", "facts")]) { html in
        let (badge, verdict) = failures.isEmpty ? ("badge good", "passed") : ("badge bad", "failed")
        html.element("li") { $0.element("span", [("class", badge)], verdict) }
        html.element("li", [], "\((account.steps.count - 1).counted("step")) in \(Self.time(end)) of virtual time")
        html.element("li", [], source)
        html.element("li") { html in
          html.words("trace ")
          html.element("code", [], TraceHash.text(hash))
        }
      }
      for failure in failures { self.failure(failure, &html, link: wrongStep) }
      if let difference { self.difference(difference, &html) }
    }
    html.newline()
    html.element("h2", [("id", "timeline")], "Timeline")
    timeline(&html)
    html.newline()
    html.element("h2", [], "Step by step")
    html.element("p", [("class", "keys")]) { html in
      html.raw("<kbd>j</kbd> next step, <kbd>k</kbd> the one before")
      if wrongStep != nil { html.raw(", <kbd>f</kbd> the failure") }
    }
    for (number, step) in account.steps.enumerated() { self.step(number, step, &html) }
    html.element("footer") { html in
      html.words("Repeat: ")
      html.element("code", [], view.command(file))
    }
  }

  // MARK: What went wrong

  /// The number of the first step at which something was wrong.
  private var wrongStep: Int? { account.steps.firstIndex(where: isWrong) }

  private func isWrong(_ step: RunAccount.Step) -> Bool { isWrongByItself(step) || step.moments.contains(where: isWrong) }

  /// Whether something was wrong at a moment: what must always hold, or else that it is not what the golden trace says.
  private func isWrong(_ moment: RunAccount.Moment) -> Bool {
    !moment.violations.isEmpty || !failures.isEmpty && differs(in: moment) && !account.steps.contains(where: isWrongByItself)
  }

  private func isWrongByItself(_ step: RunAccount.Step) -> Bool {
    !step.failures.isEmpty || !step.violations.isEmpty || step.moments.contains { !$0.violations.isEmpty }
  }

  private func failure(_ text: String, _ html: inout HTMLWriter, link: Int? = nil) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    html.element("div", [("class", "failure")]) { html in
      html.element("strong", [], "What is wrong")
      html.element("p") { html in
        html.element("bdi", [], lines.first ?? "")
        if let link { self.link(to: link, &html) }
      }
      if lines.count > 1 { html.element("pre", [("class", "code")], lines.dropFirst().joined(separator: "\n")) }
    }
  }

  private func link(to step: Int, _ html: inout HTMLWriter) {
    html.words(" ")
    html.element("a", [("href", "#step-\(step)")], step == 0 ? "See it at the beginning" : "See it at step \(step)")
  }

  private func difference(_ difference: FirstDifference, _ html: inout HTMLWriter) {
    html.element("div", [("class", "difference")]) { html in
      html.element("strong", [], "First difference from \(difference.other)")
      html.element("p") { html in
        html.words("In line \(difference.line + 1) of the trace.")
        if let step = account.steps.firstIndex(where: { $0.moments.contains(where: differs) }) { link(to: step, &html) }
      }
      html.element("dl") { html in
        html.element("dt", [], difference.other)
        html.element("dd") { $0.element("code", [], difference.expected ?? "the end") }
        html.element("dt", [], "this run")
        html.element("dd") { $0.element("code", [], difference.actual ?? "the end") }
      }
    }
  }

  // MARK: The timeline

  private struct Column {
    var step: Int
    var time: Duration
    var moment: RunAccount.Moment?
    var quiet: String?
    var isWrong: Bool
  }

  /// A column for each moment, and for each step whose end was judged and wrong.
  private var columns: [Column] {
    var columns: [Column] = []
    for (number, step) in account.steps.enumerated() {
      for stretch in step.stretches {
        guard let moment = stretch.first else { continue }
        columns.append(
          Column(
            step: number, time: moment.time, moment: moment, quiet: quietWords(stretch), isWrong: isWrong(moment)))
      }
      if !step.failures.isEmpty || !step.violations.isEmpty {
        columns.append(Column(step: number, time: step.moments.last?.time ?? step.time, isWrong: true))
      }
    }
    return columns
  }

  private func timeline(_ html: inout HTMLWriter) {
    let all = columns
    let columns = all.prefix(240)
    html.element("p", [("class", "soft")]) { html in
      html.words(
        "A column is a moment of rest; a mark is what happened before it, and leads to its step. "
          + "A band says that an attempt to join runs (world, models) or that something lies over the list (screen).")
      if all.count > columns.count { html.words(" The first \(columns.count) of \(all.count) moments are here.") }
    }
    html.element("div", [("class", "lanes"), ("tabindex", "0"), ("role", "region"), ("aria-labelledby", "timeline")]) { html in
      html.element("table") { html in
        html.element("thead") { html in
          html.element("tr") { html in
            html.element("td", [], "time")
            var last: Duration?
            for column in columns {
              let isLater = last.map { $0 != column.time } ?? true
              let space = last.map { Self.space($0, column.time) } ?? 0
              html.element(
                "th", [("scope", "col")] + (isLater && last != nil ? [("class", "later"), ("style", "padding-left:\(space)px")] : [])
              ) { html in
                // A time that stands there already is for who cannot see that.
                html.element("span", isLater ? [] : [("class", "hidden")], Self.time(column.time))
              }
              last = column.time
            }
          }
        }
        html.element("tbody") { html in
          for lane in TraceLane.allCases where lane != .run { self.lane(lane, columns, &html) }
        }
      }
    }
  }

  /// A wait shows as space, which grows by the same for each doubling.
  private static func space(_ earlier: Duration, _ later: Duration) -> Int {
    let (seconds, attoseconds) = (later - earlier).components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return max(0, Int64.bitWidth - milliseconds.leadingZeroBitCount) * 2
  }

  private func lane(_ lane: TraceLane, _ columns: ArraySlice<Column>, _ html: inout HTMLWriter) {
    html.element("tr", [("class", lane.rawValue)]) { html in
      html.element("th", [("scope", "row")], lane.rawValue)
      var last: Duration?
      var state: (depth: Int, isConnecting: Bool, isJoining: Bool) = (0, false, false)
      for column in columns {
        if let moment = column.moment {
          state = (moment.picture.layers.count, moment.state.isConnecting, moment.isJoining)
        }
        let events = (column.moment?.events ?? []).filter { $0.lane == lane }
        var classes: [String] = []
        if last.map({ $0 != column.time }) == true { classes.append("later") }
        switch lane {
        case .world: if state.isJoining { classes.append("on") }
        case .models: if state.isConnecting { classes.append("on") }
        case .screen: if state.depth > 0 { classes.append(state.depth > 1 ? "over" : "on") }
        default: break
        }
        if events.count > 2 || column.quiet != nil && !events.isEmpty { classes.append("many") }
        let isWrong = column.isWrong && lane == .screen
        if isWrong { classes.append("wrong") }
        last = column.time
        html.element("td", classes.isEmpty ? [] : [("class", classes.joined(separator: " "))]) { html in
          guard !events.isEmpty || isWrong else { return }
          var label = isWrong ? "wrong; " : ""
          label += events.prefix(3).map(\.shortText).joined(separator: "; ")
          if events.count > 3 { label += "; and \(events.count - 3) more" }
          if let quiet = column.quiet { label = quiet }
          label = "step \(column.step), \(Self.time(column.time)), \(lane.rawValue): \(label)"
          html.element("a", [("href", "#step-\(column.step)"), ("title", label)]) { $0.element("span", [("class", "hidden")], label) }
        }
      }
    }
  }

  // MARK: Steps

  private func step(_ number: Int, _ step: RunAccount.Step, _ html: inout HTMLWriter) {
    html.newline()
    let isSmall = step.moments.isEmpty && step.failures.isEmpty && step.violations.isEmpty
    let name = "step" + (isWrong(step) ? " wrong" : "") + (isSmall ? " small" : "")
    html.element(
      "section", [("class", name), ("id", "step-\(number)"), ("tabindex", "-1"), ("aria-labelledby", "title-\(number)")]
    ) { html in
      html.element("header") { html in
        html.element("h3", [("id", "title-\(number)")]) { html in
          if number > 0 { html.words("\(number). ") }
          html.element("bdi", [], (step.words ?? "the beginning").capitalizedFirst)
        }
        if isSmall {
          let (name, words) = step.isExpectation ? ("holds", "OK.") : ("soft", "Nothing changed.")
          html.element("span", [("class", name)], words)
        }
        html.element("span", [("class", "soft")], "at \(Self.time(step.time))" + (step.line.map { ", line \($0)" } ?? ""))
      }
      for stretch in step.stretches {
        if let words = quietWords(stretch) {
          html.element("div", [("class", "moment still")]) { html in
            html.element("ul", [("class", "events")]) { html in
              html.element("li") { html in
                html.element("span", [("class", "lane scanner")], "scanner")
                html.element("span", [], words)
              }
            }
          }
        } else {
          for moment in stretch { self.moment(moment, in: step, &html) }
        }
      }
      if !step.failures.isEmpty { failure("Not met.\n" + step.failures.joined(separator: "\n"), &html) }
      for violation in step.violations { failure("\(violation)", &html) }
    }
  }

  private func moment(_ moment: RunAccount.Moment, in step: RunAccount.Step, _ html: inout HTMLWriter) {
    html.element("div", [("class", moment.showsNews ? "moment seen" : "moment still")]) { html in
      if moment.showsNews { picture(moment.picture, at: moment.time, &html) }
      html.element("div") { html in
        if moment.time != step.time || step.moments.count > 1 {
          html.element("h4", [], "At \(Self.time(moment.time))")
        }
        for violation in moment.violations { failure("\(violation)", &html) }
        events(moment, in: step, &html)
        changes(moment.changes, &html)
        if !moment.showsNews { html.element("p", [("class", "soft")], "The screen shows what it showed before.") }
      }
    }
  }

  private func events(_ moment: RunAccount.Moment, in step: RunAccount.Step, _ html: inout HTMLWriter) {
    // What the models did stands in the table, and at the beginning the picture says more than a line for each row.
    let events = moment.events.filter { event in
      !moment.changes.contains { event.lane == .models && event.text.hasSuffix("\($0)") }
        && !(step.words == nil && event.text.hasPrefix("panel begins"))
    }
    let differs = differs(in: moment)
    guard !events.isEmpty || differs else { return }
    let limit = 30
    html.element("ul", [("class", "events")]) { html in
      for event in events.prefix(limit) {
        let isHere = event.line != nil && event.line == difference?.line
        html.element("li", isHere ? [("class", "here")] : []) { html in
          html.element("span", [("class", "lane \(event.lane.rawValue)")], event.lane.rawValue)
          html.element("span") { $0.element("bdi", [], event.shortText) }
        }
      }
      if events.count > limit {
        html.element("li") { html in
          html.element("span", [], "")
          html.element("span", [("class", "soft")], "and \((events.count - limit).counted("event")) more")
        }
      }
    }
    if differs, let difference {
      html.element("div", [("class", "difference")]) { html in
        html.element("strong", [], "Here it first differs from \(difference.other)")
        html.element("p") { html in
          html.words("There: ")
          html.element("code", [], difference.expected ?? "the end")
        }
      }
    }
  }

  private func changes(_ changes: [SettingsState.Change], _ html: inout HTMLWriter) {
    guard !changes.isEmpty else { return }
    html.element("table", [("class", "state")]) { html in
      html.element("caption", [], "State")
      html.element("thead", [("class", "hidden")]) { html in
        html.element("tr") { html in for title in ["field", "before", "after"] { html.element("th", [("scope", "col")], title) } }
      }
      html.element("tbody") { html in
        for change in changes {
          html.element("tr") { html in
            html.element("th", [("scope", "row")], change.name)
            html.element("td") { html in
              html.element("bdi", [], change.before)
              html.words(" →")
            }
            html.element("td", [("class", "after")]) { $0.element("bdi", [], change.after) }
          }
        }
      }
    }
  }

  // MARK: The screen

  private func picture(_ picture: SettingsPicture, at time: Duration, _ html: inout HTMLWriter) {
    html.element("div", [("class", "device"), ("role", "group"), ("aria-label", "The screen at \(Self.time(time))")]) { html in
      html.element("div", [("class", "list")]) { html in
        html.element("ul") { html in
          html.element("li") { html in
            html.element("span", [("class", "name")], "Wi-Fi")
            let (name, label) = picture.isOn ? ("switch on", "on") : ("switch", "off")
            html.element("span", [("class", name), ("role", "img"), ("aria-label", label)], "")
          }
          if let selected = picture.selected { row(selected, &html) }
        }
        if !picture.rows.isEmpty {
          html.element("ul") { html in
            for network in picture.rows {
              if network.skipped > 0 { html.element("li", [("class", "soft")], "… \(network.skipped.counted("row")) …") }
              row(network, &html)
            }
            let more = picture.skippedAtEnd
            if more > 0 { html.element("li", [("class", "soft")], "and \(more.counted("row")) more") }
          }
        }
      }
      for layer in picture.layers { self.layer(layer, &html) }
    }
  }

  private func row(_ row: SettingsPicture.Row, _ html: inout HTMLWriter) {
    let network = row.row
    let name = (network.isSelected ? "chosen " : "") + (network.isOutOfRange ? "out" : "")
    html.element("li", name.isEmpty ? [] : [("class", name)]) { html in
      if network.isSelected {
        html.element("svg", [("class", "tick"), ("viewBox", "0 0 14 14"), ("role", "img"), ("aria-label", "selected")]) { html in
          html.void("path", [("d", "M5.2 12 1 7.6l1.6-1.5 2.6 2.7L11.5 2 13 3.5z")])
        }
      }
      html.element("span", [("class", "name")]) { html in
        html.element("bdi", [], row.name)
        if network.isOutOfRange { html.element("span", [("class", "note")], "out of range") }
      }
      if row.news != .none { html.element("span", [("class", "news")], row.news.rawValue) }
      if network.isSecured {
        html.element("svg", [("class", "lock"), ("viewBox", "0 0 10 13"), ("role", "img"), ("aria-label", "secured")]) { html in
          let shape = "M0 6q0-1 1-1V4a4 4 0 0 1 8 0v1q1 0 1 1v6q0 1-1 1H1q-1 0-1-1zm2.6-1h4.8V4a2.4 2.4 0 0 0-4.8 0z"
          html.void("path", [("fill-rule", "evenodd"), ("d", shape)])
        }
      }
      let label = "\(network.bars) of 4 bars"
      html.element("svg", [("class", "bars"), ("viewBox", "0 0 18 16"), ("role", "img"), ("aria-label", label)]) { html in
        for bar in 0..<4 {
          let place = [("x", "\(bar * 5)"), ("y", "\(12 - bar * 4)"), ("width", "3"), ("height", "\(4 + bar * 4)")]
          html.void("rect", place + (bar < network.bars ? [] : [("class", "no")]))
        }
      }
    }
  }

  private func layer(_ layer: SettingsPicture.Layer, _ html: inout HTMLWriter) {
    let words = layer.words
    html.element("div", [("class", "layer \(layer.kind)"), ("role", "group"), ("aria-label", "\(layer.kind) over it")]) { html in
      html.element("div", [("class", "card")]) { html in
        html.element("span", [("class", "kind")], layer.kind)
        html.element("bdi", [("class", "name")], words.title)
        for line in words.lines { html.element("p", [], line) }
        html.element("div", [("class", "buttons")]) { html in
          for button in words.buttons { html.element("span", [("class", "button")], button) }
        }
      }
    }
  }
}

extension String {
  /// The same, its first letter a capital one.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
