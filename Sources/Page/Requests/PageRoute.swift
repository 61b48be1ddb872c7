/// What a request is for.
package enum PageRoute: Hashable {
  /// A part of the page itself.
  case asset(PageAsset)
  /// The networks as JSON.
  case scan
  /// Figures for Prometheus.
  case metrics
  /// The stream of events.
  case events
  /// An action of a user.
  case action

  /// What a request may have to do for it.
  ///
  /// What an action changes, its body says.
  var access: PageGate.Access { if case .asset = self { .page } else { .read } }

  /// The route of a path, or `nil` where there is none.
  init?(path: String) {
    switch path {
    case "/": self = .asset(.html)
    case "/page.css": self = .asset(.css)
    case "/page.js": self = .asset(.script)
    case "/icon.svg": self = .asset(.icon)
    case "/scan.json": self = .scan
    case "/metrics": self = .metrics
    case "/events": self = .events
    case "/action": self = .action
    default: return nil
    }
  }

  /// The methods that it understands.
  var methods: [String] { self == .action ? ["POST"] : self == .events ? ["GET"] : ["GET", "HEAD"] }
}

/// A part of the page that holds no data.
package enum PageAsset: Hashable {
  case html, css, script, icon

  /// The answer with it.
  var response: PageResponse {
    switch self {
    case .html: PageResponse(status: 200, contentType: "text/html; charset=utf-8", body: PackageResources.page_html)
    case .css: PageResponse(status: 200, contentType: "text/css; charset=utf-8", body: PackageResources.page_css)
    case .script: PageResponse(status: 200, contentType: "text/javascript; charset=utf-8", body: PackageResources.page_js)
    case .icon: PageResponse(status: 200, contentType: "image/svg+xml", body: Array(Self.iconText.utf8))
    }
  }

  private static let iconText = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c2"/>\
    <g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"><path d="M6 14a14 14 0 0 1 20 0"/>\
    <path d="M10.2 18.4a8.2 8.2 0 0 1 11.6 0"/></g><circle cx="16" cy="23" r="2.4" fill="#fff"/></svg>
    """
}

/// What to do with a request whose header was read.
package enum PageVerdict: Hashable {
  /// Answer so, and read no body.
  case answer(PageResponse)
  /// Read the body, then ask for the answer.
  case ask(PageRoute)

  /// Judges a request before its body.
  package init(_ request: PageRequest, _ gate: PageGate) {
    guard let route = PageRoute(path: request.path) else {
      // A name that is not ours learns nothing of what there is.
      self = .answer(gate.refusal(of: request, for: .page) ?? .refusal(404, "There is nothing here; the page is at /."))
      return
    }
    if let refusal = gate.refusal(of: request, for: route.access) {
      self = .answer(refusal)
    } else if !route.methods.contains(request.method) {
      let methods = route.methods.joined(separator: ", ")
      self = .answer(.refusal(405, "This takes \(methods).", headers: [.init("Allow", methods)]))
    } else if route == .action, Self.mediaType(request) != "application/json" {
      self = .answer(.refusal(415, "An action is JSON: send Content-Type: application/json."))
    } else if case .asset(let asset) = route {
      self = .answer(asset.response)
    } else {
      self = .ask(route)
    }
  }

  private static func mediaType(_ request: PageRequest) -> String? {
    request.value("content-type")?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
  }
}
