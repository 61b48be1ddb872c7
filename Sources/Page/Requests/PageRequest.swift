/// A request to the page's server, apart from its body.
public struct PageRequest: Hashable, Sendable {
  /// The method, such as `GET`.
  public var method: String
  /// The target, such as `/events`, with its query.
  public var target: String
  /// Names and values of the header, in order; a name may occur more than once.
  public var headers: [Header]

  /// A name and a value.
  public struct Header: Hashable, Sendable {
    /// The name, in any case.
    public var name: String
    /// The value, without the space around it.
    public var value: String

    /// Makes a header from its parts.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes a request from its parts.
  public init(method: String, target: String, headers: [Header] = []) {
    self.method = method
    self.target = target
    self.headers = headers
  }

  /// The target up to its query, without scheme and authority where those are given (absolute-form, RFC 9112 3.2.2).
  var path: String {
    let path = origin.prefix { $0 != "?" }
    return path.isEmpty && authority != nil ? "/" : String(path)
  }

  /// The authority in a target of absolute-form, such as `localhost:8080`; `nil` in any other target.
  var authority: String? {
    let scheme = "http://"
    guard target.prefix(scheme.count).lowercased() == scheme else { return nil }
    return String(target.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" })
  }

  /// The target behind its authority.
  private var origin: Substring { authority.map { target.dropFirst("http://".count + $0.count) } ?? target[...] }

  /// The values of a header, whose name is given in lower case.
  func values(_ name: String) -> [String] { headers.filter { $0.name.lowercased() == name }.map(\.value) }

  /// The value of a header that has exactly one.
  func value(_ name: String) -> String? {
    let all = values(name)
    return all.count == 1 ? all[0] : nil
  }
}
