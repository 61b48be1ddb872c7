/// The rules that a password must meet before it is sent.
public enum Passphrase {
  /// What a password is used for.
  public enum Use: Hashable, Sendable {
    /// WPA and WPA2: 8 to 63 characters of printable ASCII, or a key of 64 hexadecimal digits (IEEE 802.11-2020 J.4.1).
    case psk
    /// WPA3: one byte or more (IEEE 802.11-2020 12.4.3).
    case sae
    /// Either, as the access point chooses: what suits one of the two.
    case pskOrSAE
  }

  /// Why a password cannot be right, whatever the access point has.
  public enum Problem: Error, Hashable, Sendable {
    /// It has fewer than the `minimum` bytes.
    case tooShort(count: Int, minimum: Int)
    /// It has more than the `maximum` bytes.
    case tooLong(count: Int, maximum: Int)
    /// It has 64 characters, and the one at `offset` is no hexadecimal digit.
    case notHexadecimal(offset: Int)
    /// The byte at `offset` is no printable ASCII.
    case notPrintable(offset: Int)
  }

  /// The shortest passphrase of WPA2 in bytes.
  public static let minimumLength = 8
  /// The longest passphrase of WPA2 in bytes.
  public static let maximumLength = 63
  /// The hexadecimal digits of a key.
  public static let keyDigits = 64
  /// The longest SAE password that is sent, in bytes: a line of wpa_supplicant's control interface has 4096 at most.
  package static let maximumSAELength = 1024

  /// Checks a password.
  ///
  /// - Throws: ``Problem`` where it cannot be right.
  public static func check(_ password: [UInt8], for use: Use) throws(Problem) {
    switch use {
    case .psk: try checkPSK(password)
    case .sae, .pskOrSAE:
      if password.isEmpty { throw .tooShort(count: 0, minimum: use == .sae ? 1 : minimumLength) }
      if password.count > maximumSAELength { throw .tooLong(count: password.count, maximum: maximumSAELength) }
      if let offset = password.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) { throw .notPrintable(offset: offset) }
    }
  }

  private static func checkPSK(_ password: [UInt8]) throws(Problem) {
    if password.count < minimumLength { throw .tooShort(count: password.count, minimum: minimumLength) }
    if password.count > keyDigits { throw .tooLong(count: password.count, maximum: maximumLength) }
    if password.count == keyDigits {
      if let offset = password.firstIndex(where: { Hex.value($0) == nil }) { throw .notHexadecimal(offset: offset) }
      return
    }
    if let offset = password.firstIndex(where: { !(0x20...0x7E ~= $0) }) { throw .notPrintable(offset: offset) }
  }
}

extension Passphrase.Problem: CustomStringConvertible {
  /// One clause that never holds the password, such as
  /// `a WPA password has 8 to 63 characters, or 64 hexadecimal digits; this one has 5`.
  public var description: String {
    switch self {
    case .tooShort(0, _): "the password is empty"
    case .tooShort(let count, _), .tooLong(let count, Passphrase.maximumLength):
      "a WPA password has \(Passphrase.minimumLength) to \(Passphrase.maximumLength) characters, or \(Passphrase.keyDigits) hexadecimal digits; "
        + "this one has \(count)"
    case .tooLong(let count, let maximum): "the password has \(count) characters, at most \(maximum) are possible"
    case .notHexadecimal(let offset):
      "the password has 64 characters, which only a key of hexadecimal digits may have, and character \(offset + 1) is none"
    case .notPrintable(let offset): "character \(offset + 1) of the password is not printable ASCII"
    }
  }
}

/// Bytes that are never printed: a password or a key.
///
/// Its description, its reflection and its dump are the same for every secret; two are compared in a time that depends
/// on their lengths alone.
public struct Secret: Sendable {
  private let storage: Storage

  /// A class, so that a debugger's or a test's default reflection of what holds a secret finds a reference and no
  /// bytes.
  private final class Storage: Sendable {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// Keeps bytes.
  public init(_ bytes: [UInt8]) { storage = Storage(bytes) }

  /// Keeps the UTF-8 of text.
  public init(_ text: some StringProtocol) { self.init(Array(text.utf8)) }

  /// The number of bytes, which may be shown.
  public var count: Int { storage.bytes.count }

  /// The minimum length in bytes of a secret that is masked in other text: a shorter one is part of many words, and the
  /// masked place would reveal it.
  private static let leastMasked = 8

  /// Text of another program with `‹secret›` where it repeats this one; one of fewer than eight bytes is not looked
  /// for.
  public func masked(in text: String) -> String {
    guard count >= Self.leastMasked, let own = String(validating: storage.bytes, as: UTF8.self) else { return text }
    return text.replacing(own, with: description).replacing(PrintableText.escape(storage.bytes), with: description)
  }

  /// Bytes of another program with as many asterisks where they repeat this one; one of fewer than eight bytes is not
  /// looked for.
  public func masked(in bytes: [UInt8]) -> [UInt8] {
    guard count >= Self.leastMasked, bytes.count >= count else { return bytes }
    return bytes.replacing(storage.bytes, with: [UInt8](repeating: UInt8(ascii: "*"), count: count))
  }

  /// Lets `body` see the bytes.
  public func withBytes<Result, Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(storage.bytes)
  }
}

extension Secret: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left.storage.bytes, right.storage.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `‹secret›`.
  public var description: String { "‹secret›" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret {
  /// Why a network of this kind cannot have such a password.
  package func problem(for use: Passphrase.Use) -> Passphrase.Problem? {
    withBytes { bytes in
      do throws(Passphrase.Problem) {
        try Passphrase.check(bytes, for: use)
        return nil
      } catch {
        return error
      }
    }
  }
}
