/// What the kernel answered instead of doing what was asked (`NLMSG_ERROR`, with its extended acknowledgement).
public struct KernelError: Error, Hashable, Sendable {
  /// The error number as `errno` has it, positive, such as 16 for `EBUSY`.
  public var number: Int32
  /// The sentence that the kernel gave along (`NLMSGERR_ATTR_MSG`), if any.
  public var message: String?
  /// The offset in the request that the kernel objects to (`NLMSGERR_ATTR_OFFS`), in octets.
  public var offset: UInt32?
  /// The attribute that the kernel misses (`NLMSGERR_ATTR_MISS_TYPE`).
  public var missingAttribute: UInt32?

  /// Makes an error of its parts.
  public init(number: Int32, message: String? = nil, offset: UInt32? = nil, missingAttribute: UInt32? = nil) {
    self.number = number
    self.message = message
    self.offset = offset
    self.missingAttribute = missingAttribute
  }

  /// Reads an `NLMSG_ERROR` or the status of an `NLMSG_DONE`; `nil` where it reports success.
  public init?(_ reply: NetlinkMessage) {
    var cursor = ByteCursor(reply.payload)
    guard let status = try? cursor.readUInt32() else { return nil }
    let code = Int32(bitPattern: status)
    guard code < 0, code > Int32.min else { return nil }
    self.init(number: -code)
    guard reply.flags & NetlinkMessage.Flag.acknowledgeTLVs != 0 else { return }
    if reply.type == NetlinkMessage.ControlType.error {
      // Behind the status stands the header of the request, and its payload unless the kernel capped it.
      guard let length = try? cursor.readUInt32() else { return }
      let echoed = reply.flags & NetlinkMessage.Flag.capped != 0 ? NetlinkMessage.headerSize : Int(length)
      let skipped = echoed - 4 + netlinkPadding(echoed)
      guard skipped >= 0, skipped <= cursor.remaining, (try? cursor.skip(skipped)) != nil else { return }
    }
    for attribute in AttributeWalk(reply.payload, in: cursor.position..<cursor.end) {
      switch attribute.type {
      case 1: message = attribute.string(of: reply.payload)
      case 2: offset = attribute.uint32(of: reply.payload)
      case 5: missingAttribute = attribute.uint32(of: reply.payload)
      default: break
      }
    }
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
    public static let noBufferSpace: Int32 = 105
    public static let notSupported: Int32 = 95
    public static let networkDown: Int32 = 100
    public static let rfkill: Int32 = 132
  }

  /// The C name of ``number``, such as `EBUSY`, or the number itself.
  public var name: String {
    switch number {
    case Number.notPermitted: "EPERM"
    case Number.noEntry: "ENOENT"
    case Number.interrupted: "EINTR"
    case Number.inputOutput: "EIO"
    case Number.again: "EAGAIN"
    case 12: "ENOMEM"
    case Number.accessDenied: "EACCES"
    case Number.busy: "EBUSY"
    case Number.noDevice: "ENODEV"
    case Number.invalid: "EINVAL"
    case Number.range: "ERANGE"
    case 71: "EPROTO"
    case 93: "EPROTONOSUPPORT"
    case Number.notSupported: "EOPNOTSUPP"
    case 97: "EAFNOSUPPORT"
    case Number.networkDown: "ENETDOWN"
    case Number.noBufferSpace: "ENOBUFS"
    case 110: "ETIMEDOUT"
    case Number.rfkill: "ERFKILL"
    default: "error \(number)"
    }
  }
}
