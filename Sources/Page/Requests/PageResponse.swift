/// An answer of the page's server.
public struct PageResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The type of the body.
  public var contentType: String
  /// The body.
  public var body: [UInt8]
  /// Names and values of the header that belong to this answer alone.
  public var headers: [PageRequest.Header]

  /// Makes an answer from its parts.
  public init(status: Int, contentType: String, body: [UInt8], headers: [PageRequest.Header] = []) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.headers = headers
  }

  /// A refusal: a sentence that says what to do.
  public static func refusal(_ status: Int, _ sentence: String, headers: [PageRequest.Header] = []) -> PageResponse {
    PageResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array((sentence + "\n").utf8), headers: headers)
  }

  /// JSON.
  public static func json(_ body: [UInt8]) -> PageResponse {
    PageResponse(status: 200, contentType: "application/json", body: body)
  }

  /// What every answer says: nothing is kept, guessed, framed or loaded from elsewhere.
  package static let commonHeaders: [PageRequest.Header] = [
    .init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff"), .init("X-Frame-Options", "DENY"),
    .init("Referrer-Policy", "no-referrer"), .init("Cross-Origin-Resource-Policy", "same-origin"),
    .init("Cross-Origin-Opener-Policy", "same-origin"),
    .init(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"),
  ]
}
