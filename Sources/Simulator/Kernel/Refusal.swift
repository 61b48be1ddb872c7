import WiFi

/// Why the kernel does not do what was asked: an error number, and what it says along.
struct Refusal: Error, Hashable {
  /// The error number as `errno` has it, positive.
  var number: Int32
  /// The sentence of the extended acknowledgement (`NLMSGERR_ATTR_MSG`).
  var message: String?
  /// The offset of the attribute that is objected to (`NLMSGERR_ATTR_OFFS`).
  var offset: UInt32?
  /// What the attribute may hold (`NLMSGERR_ATTR_POLICY`): type and, for integers, the range.
  var policy: [UInt8]?

  init(_ number: Int32, message: String? = nil) {
    self.number = number
    self.message = message
  }
}

extension SimulatedKernel {
  /// Acknowledges a request, or refuses it, as `netlink_ack` does.
  func acknowledge(_ request: Request, _ refusal: Refusal? = nil) {
    let isCapped = refusal == nil || request.link.capsAcknowledgements
    let hasTLVs = request.link.extendsAcknowledgements && (refusal?.message != nil || refusal?.offset != nil)
    let flags = (isCapped ? NetlinkMessage.Flag.capped : 0) | (hasTLVs ? NetlinkMessage.Flag.acknowledgeTLVs : 0)
    var builder = builder(for: request)
    builder.message(type: NetlinkMessage.ControlType.error, flags: flags) { builder in
      builder.raw(UInt32(bitPattern: -(refusal?.number ?? 0)))
      builder.raw(request.bytes.prefix(isCapped ? NetlinkMessage.headerSize : request.bytes.count))
      if !isCapped { builder.pad(request.bytes.count) }
      if let refusal, hasTLVs {
        if let message = refusal.message { builder.write(1, message) }
        if let offset = refusal.offset { builder.write(2, offset) }
        if let policy = refusal.policy { builder.write(4 | 0x8000, policy) }
      }
    }
    reply(request, builder)
  }

  /// Ends a list (`NLMSG_DONE`), with an error where it could not be made; of one that loses a reply, the middle of the
  /// others is lost.
  func finishDump(_ request: Request, _ builder: consuming MessageBuilder, error: Int32 = 0, losesReply: Bool = false) {
    // The kernel ends a list in a datagram of its own.
    builder.flush()
    let lost = losesReply ? builder.datagrams.count / 2 : nil
    request.link.beginList(datagrams: builder.datagrams.count + 1)
    builder.message(type: NetlinkMessage.ControlType.done, flags: NetlinkMessage.Flag.multi) { $0.raw(UInt32(bitPattern: -error)) }
    reply(request, builder, lost: lost)
  }

  /// Answers a request that is for no list, and acknowledges it where that was asked for.
  func replyAndAcknowledge(_ request: Request, _ builder: consuming MessageBuilder) {
    reply(request, builder)
    if request.wantsAcknowledgement { acknowledge(request) }
  }

  /// Sends what was built to the sender of the request.
  func reply(_ request: Request, _ builder: consuming MessageBuilder, lost: Int? = nil) {
    builder.flush()
    for (index, datagram) in builder.datagrams.enumerated() {
      request.link.deliver(index == lost ? .repliesLost : .reply(datagram), at: now + request.delay)
    }
  }
}
