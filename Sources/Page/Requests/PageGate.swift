/// Decides which requests are answered at all.
///
/// A page of another site can make a browser send requests to this machine. So a request has to name this server in
/// `Host`, which keeps out foreign names that are resolved to this machine (DNS rebinding), and must not come from
/// another origin. Reading is open to this machine; changing anything needs the token, and so does reading from
/// elsewhere.
public struct PageGate: Sendable {
  /// The port that is listened on.
  public var port: Int
  /// Whether only this machine can reach the server.
  public var isLoopbackOnly: Bool
  /// Names besides addresses and `localhost` that the server is reached by, in lower case.
  public var names: [String]
  private let token: PageToken

  /// Makes a gate from its parts.
  public init(port: Int, isLoopbackOnly: Bool, names: [String] = [], token: PageToken) {
    self.port = port
    self.isLoopbackOnly = isLoopbackOnly
    self.names = names.map { $0.lowercased() }
    self.token = token
  }

  /// What a request may do.
  enum Access: Hashable {
    /// Only what holds no data: the page itself.
    case page
    /// To read what was scanned, and to send actions.
    case read
  }

  /// Whether a request carries the token.
  package func hasToken(_ request: PageRequest) -> Bool {
    // The name of a scheme has no case (RFC 9110 11.1).
    let scheme = "bearer "
    guard let value = request.value("authorization"), value.prefix(scheme.count).lowercased() == scheme else { return false }
    return token.matches(String(value.dropFirst(scheme.count)))
  }

  /// The refusal of an action, or `nil` where it may be done: without the token a browser may change its own view
  /// alone.
  package func refusal(of action: PageAction, from browser: PageBrowser) -> PageResponse? {
    browser.mayAct || (action.ofView != nil && !browser.key.isEmpty) ? nil : Self.withoutToken
  }

  /// The refusal of a request that wants `access`, or `nil` where it may have it.
  func refusal(of request: PageRequest, for access: Access) -> PageResponse? {
    guard let host = request.value("host") else { return .refusal(400, "A request names the server once, in Host.") }
    // A target may name the server, too; it counts then (RFC 9112 3.2.2), and the other one has to be ours all the
    // same.
    guard isOurs(host), request.authority.map(isOurs) ?? true else {
      return .refusal(421, "This server has another name. Use the address that it printed when it was started.")
    }
    // A browser says where a request comes from; another program says nothing.
    let origins = request.values("origin")
    let site = access == .page ? nil : request.value("sec-fetch-site")
    guard origins.isEmpty || origins == ["http://\(host)"], [nil, "same-origin", "none"].contains(site) else {
      return .refusal(403, "Pages of other sites may not use this server.")
    }
    return access == .read && !isLoopbackOnly && !hasToken(request) ? Self.withoutToken : nil
  }

  private static let withoutToken = PageResponse.refusal(
    401, "This needs the token that was printed when the server was started, as Authorization: Bearer TOKEN.",
    headers: [.init("WWW-Authenticate", "Bearer")])

  /// Whether a value of `Host` means this server.
  ///
  /// Addresses cannot be pointed elsewhere, so where other machines may come any address will do.
  func isOurs(_ host: String) -> Bool {
    guard let (name, port) = Self.split(host), port ?? 80 == self.port else { return false }
    if name == "localhost" || names.contains(name) { return true }
    let isLoopback = name == "[::1]" || (name.hasPrefix("127.") && Self.isIPv4(name))
    return isLoopback || (!isLoopbackOnly && (Self.isIPv4(name) || Self.isIPv6(name)))
  }

  private static func split(_ host: String) -> (name: String, port: Int?)? {
    let host = host.lowercased()
    let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
    guard let end, end < host.endIndex else { return host.isEmpty || (host.hasPrefix("[") && !host.hasSuffix("]")) ? nil : (host, nil) }
    let digits = host[end...].dropFirst()
    guard host[end] == ":", !digits.isEmpty, digits.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits)
    else { return nil }
    return (String(host[..<end]), port)
  }

  private static func isIPv4(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } && (Int(part) ?? 256) < 256
      }
  }

  private static func isIPv6(_ name: String) -> Bool {
    guard name.hasPrefix("["), name.hasSuffix("]"), name.utf8.count <= 47 else { return false }
    let inner = name.dropFirst().dropLast()
    return inner.contains(":") && inner.utf8.allSatisfy { (0x30...0x3A).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2E }
  }
}
