/// The path of a stack as it is saved and read back.
///
/// What was saved may be older or newer than the program that reads it. Pages are read up to the first that cannot be;
/// that one and all above it are cut, and ``cut`` says so. Encoded it is an array of the pages.
///
/// ```swift
/// let saved = try JSONDecoder().decode(SavedPath<Page>.self, from: data)
/// model.path = saved.pages
/// if let cut = saved.cut { report("\(cut)") }
/// ```
public struct SavedPath<Page> {
  /// Pages that were saved and could not be read.
  public struct Cut: Hashable, Sendable, CustomStringConvertible {
    /// The index of the first of them.
    public let index: Int
    /// How many they are, where the format says it.
    public let count: Int?
    /// Why the first could not be read.
    public let reason: String

    /// One sentence: which pages, what became of them, and why.
    public var description: String {
      let pages =
        switch count {
        case 1: "Page \(index + 1) of the saved path is"
        case let count?: "Pages \(index + 1) to \(index + count) of the saved path are"
        case nil: "The saved path from page \(index + 1) is"
        }
      return "\(pages) left out: \(reason)"
    }
  }

  /// The pages, the last on top.
  public var pages: [Page]
  /// What could not be read; `nil` where all was.
  public private(set) var cut: Cut?

  /// A path to be saved.
  public init(_ pages: [Page]) { self.pages = pages }
}

extension SavedPath: Encodable where Page: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for page in pages { try container.encode(page) }
  }
}

extension SavedPath: Decodable where Page: Decodable {
  /// Reads pages up to the first that cannot be read.
  ///
  /// - Throws: what the decoder throws where there is no array.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var pages: [Page] = []
    var cut: Cut?
    while cut == nil, !container.isAtEnd {
      do {
        pages.append(try container.decode(Page.self))
      } catch {
        cut = Cut(index: pages.count, count: container.count.map { $0 - pages.count }, reason: Self.reason(error))
      }
    }
    self.pages = pages
    self.cut = cut
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      context.debugDescription
    default: "\(error)"
    }
  }
}

extension SavedPath: Equatable where Page: Equatable {}
extension SavedPath: Sendable where Page: Sendable {}
