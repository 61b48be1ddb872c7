/// What the kernel answered instead of doing what was asked (`NLMSG_ERROR`, with its extended acknowledgement).
public struct KernelError: Error, Hashable, Sendable {
  /// The error number as `errno` has it, positive, such as 16 for `EBUSY`.
  public var number: Int32
  /// The sentence that the kernel gave along (`NLMSGERR_ATTR_MSG`), if any.
  public var message: String?
  /// The offset in the request that the kernel objects to (`NLMSGERR_ATTR_OFFS`), in bytes.
  public var offset: UInt32?
  /// The attribute that the kernel misses (`NLMSGERR_ATTR_MISS_TYPE`).
  public var missingAttribute: UInt32?
  /// Why the attributes of the extended acknowledgement end early, if they do; its offset is from the start of the
  /// payload.
  public var truncation: WireError?

  /// Makes an error from its parts.
  public init(number: Int32, message: String? = nil, offset: UInt32? = nil, missingAttribute: UInt32? = nil) {
    self.number = number
    self.message = message
    self.offset = offset
    self.missingAttribute = missingAttribute
  }

  /// Reads an `NLMSG_ERROR` or the status of an `NLMSG_DONE`; `nil` where it reports success.
  ///
  /// A malformed reply is no success: it is an error of number 71, `EPROTO`, whose ``message`` says what is wrong.
  public init?(_ reply: NetlinkMessage) {
    do throws(WireError) {
      guard let error = try Self.reading(reply) else { return nil }
      self = error
    } catch {
      self.init(number: Number.protocolError, message: "malformed acknowledgement: \(error)")
    }
  }

  /// Reads an `NLMSG_ERROR` or the status of an `NLMSG_DONE`.
  ///
  /// - Returns: `nil` where it reports success; so does an `NLMSG_DONE` of no status.
  /// - Throws: ``WireError`` where the status is cut off, positive, or the most negative number; its offset is from the
  ///   start of the payload.
  public static func reading(_ reply: NetlinkMessage) throws(WireError) -> KernelError? {
    var cursor = ByteCursor(reply.payload)
    if reply.type == NetlinkMessage.ControlType.done, reply.payload.isEmpty { return nil }
    let code = Int32(bitPattern: try cursor.readUInt32())
    guard code <= 0, code > Int32.min else { throw WireError(offset: 0, reason: .invalid("status \(code), which is no error number")) }
    return code == 0 ? nil : KernelError(number: -code, reply, &cursor)
  }

  private init(number: Int32, _ reply: NetlinkMessage, _ cursor: inout ByteCursor) {
    self.init(number: number)
    guard reply.flags & NetlinkMessage.Flag.acknowledgeTLVs != 0 else { return }
    if reply.type == NetlinkMessage.ControlType.error {
      // Behind the status stands the header of the request, and its payload unless the kernel capped it.
      let length: UInt32
      do throws(WireError) { length = try cursor.readUInt32() } catch {
        truncation = error
        return
      }
      let echoed = reply.flags & NetlinkMessage.Flag.capped != 0 ? NetlinkMessage.headerSize : Int(length)
      guard echoed >= NetlinkMessage.headerSize else {
        truncation = WireError(offset: 4, reason: .length(declared: echoed, allowed: NetlinkMessage.headerSize...Int.max))
        return
      }
      let skipped = echoed - 4 + paddingToFour(echoed)
      do throws(WireError) { try cursor.skip(skipped) } catch {
        truncation = error
        return
      }
    }
    var walk = AttributeWalk(reply.payload, in: cursor.position..<cursor.end)
    while let attribute = walk.next() {
      switch attribute.type {
      case 1: message = attribute.string(of: reply.payload)
      case 2: offset = attribute.uint32(of: reply.payload)
      case 5: missingAttribute = attribute.uint32(of: reply.payload)
      default: break
      }
    }
    truncation = walk.error
  }

  /// The numbers that a scan meets (`<asm-generic/errno.h>`; the same on every architecture Swift runs on).
  public enum Number {
    public static let notPermitted: Int32 = 1
    public static let noEntry: Int32 = 2
    public static let interrupted: Int32 = 4
    public static let inputOutput: Int32 = 5
    public static let again: Int32 = 11
    public static let accessDenied: Int32 = 13
    public static let busy: Int32 = 16
    public static let noDevice: Int32 = 19
    public static let invalid: Int32 = 22
    public static let range: Int32 = 34
    public static let protocolError: Int32 = 71
    public static let noBufferSpace: Int32 = 105
    public static let notSupported: Int32 = 95
    public static let networkDown: Int32 = 100
    public static let rfkill: Int32 = 132
  }

  /// The C name of ``number``, such as `EBUSY`, or the number itself.
  public var name: String { Self.names.text(number) ?? "error \(number)" }

  private static let names: NumberNames = [
    1: "EPERM", 2: "ENOENT", 4: "EINTR", 5: "EIO", 11: "EAGAIN", 12: "ENOMEM", 13: "EACCES", 16: "EBUSY", 19: "ENODEV", 22: "EINVAL",
    34: "ERANGE", 71: "EPROTO", 93: "EPROTONOSUPPORT", 95: "EOPNOTSUPP", 97: "EAFNOSUPPORT", 100: "ENETDOWN", 105: "ENOBUFS",
    110: "ETIMEDOUT", 132: "ERFKILL",
  ]
}
