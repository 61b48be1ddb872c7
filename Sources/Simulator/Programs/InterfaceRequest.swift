import WiFi

/// An `ioctl` about an interface, as `netdevice(7)` has them.
struct InterfaceRequest {
  /// The number of the request, such as `SIOCGIFINDEX`.
  var number: UInt32
  /// `struct ifreq`: 16 bytes of name, then what the request is about.
  var structure: [UInt8]
  /// How many bytes what it points to may have.
  var capacity: Int

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
      return (structure, [])
    case 0x8912:  // SIOCGIFCONF: interfaces with an address, which only the loopback has
      let entry = Self.loopback.paddedName + [2, 0, 0, 0, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 16)
      // A table of no bytes asks how many it needs; so says the first byte of the structure.
      let data = structure[0] == 0 ? Array(entry.prefix(request.capacity / entry.count * entry.count)) : []
      put(words(UInt32(structure[0] == 0 ? data.count : entry.count)), at: 0)
      return (structure, data)
    case 0x8910...0x8950, 0x8B00...0x8BFF: break
    default: throw Refusal(KernelError.Number.notSupported)
    }
    guard let interface = networkInterfaces.first(where: { $0.name == request.name }) else { throw Refusal(KernelError.Number.noDevice) }
    switch request.number {
    case 0x8913: put(words(interface.flags & 0xFFFF), at: 16)  // SIOCGIFFLAGS
    case 0x8914:  // SIOCSIFFLAGS
      let changes = (UInt32(structure[16]) | UInt32(structure[17]) << 8) ^ interface.flags
      try checkChange(of: interface, changes)
      if changes & 1 != 0 { try setUp(interface, structure[16] & 1 != 0) }
    case 0x8915, 0x8917, 0x8919, 0x891B:  // SIOCGIFADDR, SIOCGIFDSTADDR, SIOCGIFBRDADDR, SIOCGIFNETMASK
      guard interface.wiphy == nil else { throw Refusal(99) }  // EADDRNOTAVAIL
      put([2, 0, 0, 0] + (request.number == 0x891B ? [255, 0, 0, 0] : [127, 0, 0, 1]), at: 16)
    case 0x891D: put(words(0), at: 16)  // SIOCGIFMETRIC
    case 0x8921: put(words(interface.mtu), at: 16)  // SIOCGIFMTU
    case 0x8927:  // SIOCGIFHWADDR
      put([UInt8(interface.hardwareType & 0xFF), UInt8(interface.hardwareType >> 8)] + interface.address.bytes, at: 16)
    case 0x8933: put(words(interface.index), at: 16)  // SIOCGIFINDEX
    case 0x8942: put(words(1000), at: 16)  // SIOCGIFTXQLEN
    case 0x8946:  // SIOCETHTOOL, ETHTOOL_GDRVINFO: driver, version, firmware, bus, each of 32 bytes
      guard structure[16] == 3, structure[17...19].allSatisfy({ $0 == 0 }), interface.wiphy != nil else {
        throw Refusal(KernelError.Number.notSupported)
      }
      func padded(_ text: String) -> [UInt8] { Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count) }
      return (structure, words(3) + padded(Self.driver) + padded("") + padded("N/A") + padded("") + [UInt8](repeating: 0, count: 64))
    case 0x8B00...0x8BFF:
      guard let adapter = adapter(named: request.name), let wireless = self.interface(named: request.name) else {
        throw Refusal(KernelError.Number.notSupported)
      }
      return try answerWirelessExtension(request, adapter, wireless)
    // What the kernel knows and a simulated interface has not.
    default: throw Refusal(KernelError.Number.notSupported)
    }
    return (structure, [])
  }
}

extension NetworkInterface {
  /// The name in the 16 bytes of a `struct ifreq`.
  var paddedName: [UInt8] {
    let bytes = Array(name.utf8.prefix(InterfaceRequest.nameSize - 1))
    return bytes + [UInt8](repeating: 0, count: InterfaceRequest.nameSize - bytes.count)
  }
}
