import WiFi

/// An `ioctl` about an interface, as `netdevice(7)` has them.
struct InterfaceRequest {
  /// The number of the request, such as `SIOCGIFINDEX`.
  var number: UInt32
  /// `struct ifreq`: 16 bytes of name, then what the request is about.
  var structure: [UInt8]
  /// How many bytes what it points to may have.
  var capacity: Int

  /// The name of the interface.
  var name: String { String(decoding: structure.prefix(Self.nameSize).prefix { $0 != 0 }, as: UTF8.self) }

  /// `IFNAMSIZ`.
  static let nameSize = 16
}

extension SimulatedKernel {
  /// Answers an `ioctl`: the structure as it is then, and what it points to.
  func answer(_ request: InterfaceRequest) throws(Refusal) -> (structure: [UInt8], data: [UInt8]) {
    run()
    var structure = request.structure
    func put(_ bytes: [UInt8], at offset: Int) { structure.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
    func words(_ values: UInt32...) -> [UInt8] { values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } } }
    switch request.number {
    case 0x8910:  // SIOCGIFNAME
      let index = (16..<20).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(structure[$1]) }
      guard let interface = networkInterfaces.first(where: { $0.index == index }) else { throw Refusal(KernelError.Number.noDevice) }
      put(interface.paddedName, at: 0)
    case 0x8933:  // SIOCGIFINDEX
      put(words(try networkInterface(named: request.name).index), at: 16)
    default: throw Refusal(25)  // ENOTTY
    }
    return (structure, [])
  }

  private func networkInterface(named name: String) throws(Refusal) -> NetworkInterface {
    guard let interface = networkInterfaces.first(where: { $0.name == name }) else { throw Refusal(KernelError.Number.noDevice) }
    return interface
  }
}
