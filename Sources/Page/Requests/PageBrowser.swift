/// The view that a request is about: one browser's, or that of programs, which give no name.
public struct PageBrowser: Hashable, Sendable {
  /// What makes it the same view; empty for that of programs.
  ///
  /// A view that was made with the token cannot be reached without it.
  public let key: String
  /// Whether the request gave the token.
  public let mayAct: Bool

  /// The longest name, in bytes.
  static let maximumNameLength = 64

  /// Reads the client: a browser draws a name at random and sends it in the header `Page`.
  package init(_ request: PageRequest, mayAct: Bool) {
    let name = request.value("page") ?? ""
    let isHex = name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    let isName = isHex && name.utf8.count <= Self.maximumNameLength
    key = name.isEmpty || !isName ? "" : (mayAct ? "+" : "-") + name
    self.mayAct = mayAct
  }

  /// The view of programs.
  package init(mayAct: Bool) { (key, self.mayAct) = ("", mayAct) }
}
