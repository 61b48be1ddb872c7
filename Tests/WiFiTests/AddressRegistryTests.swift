import Testing
import WiFi

@Suite struct AddressRegistryTests {
  // Lines as the list of the IEEE has them; the names are made up.
  static let text = """
    OUI/MA-L                                                    Organization                                 \r
    company_id                                                  Organization                                 \r
                                                                Address                                      \r

    98-25-4A   (hex)\t\tAcme Radio, Inc\r
    98254A     (base 16)\t\tAcme Radio, Inc\r
    \t\t\t\t1 Example Street\r

    00-AB-cd   (hex)\t\t\u{1B}[31mRed\r
    10-14-07   (hex)\t\tIEEE Registration Authority\r
    00-00-0G   (hex)\t\tNo number\r
    00-00-01   (hex)
    00-00-02(hex) Tight
    """

  let registry = AddressRegistry(Array(text.utf8))

  @Test func `an address has the maker of its first three bytes`() {
    #expect(registry.maker(of: MACAddress(0x9825_4A12_3456)) == "Acme Radio, Inc")
    #expect(registry.maker(of: MACAddress(0x0000_0212_3456)) == "Tight")
  }

  @Test func `a name is safe to print`() {
    #expect(registry.maker(of: MACAddress(0x00AB_CD00_0000)) == #"\x1b[31mRed"#)
  }

  @Test func `what nobody registered, or is divided further, has none`() {
    #expect(registry.maker(of: MACAddress(0x1014_0700_0000)) == nil)
    #expect(registry.maker(of: MACAddress(0x0000_0100_0000)) == nil)
    #expect(registry.maker(of: MACAddress(0x9825_4B00_0000)) == nil)
    // The bit of locally administered addresses.
    #expect(registry.maker(of: MACAddress(0x9A25_4A00_0000)) == nil)
    #expect(registry.count == 4)
  }

  @Test(arguments: ["", "\n", "98-25-4A", "98-25-4A   (hex)", "98-25-4A   (hex)\t\t", "\u{0}\u{0}\u{0}"])
  func `any bytes are read`(text: String) { #expect(AddressRegistry(Array(text.utf8)).count == 0) }
}
