import Determinism
import Foundation
import Simulator
import Testing

@Suite struct FixedPointTests {
  @Test func `logarithms are right to a millionth`() {
    var stream = RandomStream(seed: 1)
    for _ in 0..<500 {
      let value = max(stream.next() >> stream.next(below: 60), 1)
      #expect(abs(Double(FixedPoint.log2Q24(value)) / 16_777_216 - log2(Double(value))) < 1e-6)
      #expect(abs(Double(FixedPoint.log10Q24(value)) / 16_777_216 - log10(Double(value))) < 1e-6)
      #expect(abs(Double(FixedPoint.lnQ24(value)) / 16_777_216 - log(Double(value))) < 1e-6)
    }
    #expect(FixedPoint.log2Q24(1) == 0)
    #expect(FixedPoint.log2Q24(1 << 40) == 40 << 24)
  }

  @Test func `a logarithm is what squaring gives, to the last bit`() {
    func bySquaring(_ value: UInt64) -> Int64 {
      var mantissa = value << UInt64(value.leadingZeroBitCount)
      var result = Int64(63 - value.leadingZeroBitCount)
      for _ in 0..<24 {
        let square = mantissa.multipliedFullWidth(by: mantissa).high
        mantissa = square >> 63 == 1 ? square : square << 1
        result = result << 1 | Int64(square >> 63)
      }
      return result
    }
    var stream = RandomStream(seed: 3)
    var values: [UInt64] = (0..<50_000).map { max(stream.next() >> UInt64($0 & 63), 1) }
    // The ends and the middles of the parts of the table, and the powers of two: where a short cut would be wrong first.
    for part in UInt64(128)..<256 { for beside in 0..<3 { values.append(part << 56 &+ UInt64(beside) &- 1) } }
    for shift in UInt64(1)..<64 { values += [1 << shift, 1 << shift - 1, 1 << shift + 1] }
    values.append(.max)
    // The nearest to multiples of 2⁻²⁴.
    for step in Int64(1)..<2000 {
      let near = UInt64(FixedPoint.exp2Q24(step << 13)) << 38
      for beside in UInt64(0)..<5 { values.append(near &+ beside << 36) }
    }
    let wrong = values.filter { FixedPoint.log2Q24($0) != bySquaring($0) }
    #expect(wrong.isEmpty, "\(wrong.count) of \(values.count), as \(wrong.prefix(3))")
  }

  @Test func `powers of two are right to two millionths`() {
    var stream = RandomStream(seed: 2)
    for _ in 0..<500 {
      let exponent = Int64(stream.next(below: 40 << 24)) - 10 << 24
      let expected = exp2(Double(exponent) / 16_777_216)
      #expect(abs(Double(FixedPoint.exp2Q24(exponent)) / 16_777_216 - expected) < max(2e-6 * expected, 1.2e-7))
    }
    #expect(FixedPoint.exp2Q24(0) == 1 << 24)
    #expect(FixedPoint.exp2Q24(.min) == 0)
  }

  @Test func `square roots are cut off`() {
    var stream = RandomStream(seed: 3)
    for _ in 0..<500 {
      let value = stream.next() >> stream.next(below: 60)
      let root = FixedPoint.squareRoot(value)
      #expect(root * root <= value)
      #expect((root + 1).multipliedFullWidth(by: root + 1) > (high: 0, low: value))
    }
  }

  @Test func `sines are right to a ten-millionth`() {
    var stream = RandomStream(seed: 4)
    for _ in 0..<500 {
      let turn = UInt32(truncatingIfNeeded: stream.next())
      let angle = Double(turn) / 4_294_967_296 * 2 * Double.pi
      #expect(abs(Double(FixedPoint.sineQ30(turn: turn)) / 1_073_741_824 - sin(angle)) < 1e-7)
      #expect(abs(Double(FixedPoint.cosineQ30(turn: turn)) / 1_073_741_824 - cos(angle)) < 1e-7)
    }
  }
}

@Suite struct DistributionTests {
  /// The largest distance between the distribution of a sample and a distribution function, times √n; below 1.95 in
  /// 99.9 % of cases (Kolmogorov and Smirnov).
  func distance(_ sample: [Double], _ cumulative: (Double) -> Double) -> Double {
    let sorted = sample.sorted()
    var largest = 0.0
    for (index, value) in sorted.enumerated() {
      let expected = cumulative(value)
      largest = max(largest, expected - Double(index) / Double(sorted.count), Double(index + 1) / Double(sorted.count) - expected)
    }
    return largest * Double(sorted.count).squareRoot()
  }

  @Test func `normal numbers are normal`() {
    var stream = RandomStream(seed: 7)
    let sample = (0..<4_000).map { _ in Double(stream.normalQ16()) / 65_536 }
    #expect(distance(sample) { 0.5 * erfc(-$0 / 2.0.squareRoot()) } < 1.95)
  }

  @Test func `exponential numbers are exponential, and Rayleigh fading is their logarithm`() {
    var stream = RandomStream(seed: 8)
    let sample = (0..<4_000).map { _ in Double(stream.exponentialQ16()) / 65_536 }
    #expect(distance(sample) { 1 - exp(-$0) } < 1.95)
    let fading = (0..<4_000).map { _ in Double(Fading.milliBels(stream.next(), branches: 1)) / 1000 }
    #expect(distance(fading) { 1 - exp(-pow(10, $0)) } < 1.95)
  }

  @Test func `log-normal numbers have their median`() {
    var stream = RandomStream(seed: 9)
    let sample = (0..<4_000).map { _ in Double(stream.logNormal(median: 1000, sigmaQ16: 32_768)) }
    #expect(distance(sample.map { log(($0 + 0.5) / 1000) / 0.5 }) { 0.5 * erfc(-$0 / 2.0.squareRoot()) } < 1.95)
  }

  @Test func `geometric numbers count failures`() {
    var stream = RandomStream(seed: 10)
    let sample = (0..<10_000).map { _ in stream.geometric(1, in: 4) }
    // Mean 3, variance 12: four standard deviations of the mean are 0.14.
    #expect(abs(Double(sample.reduce(0, +)) / 10_000 - 3) < 0.14)
    #expect(abs(sample.filter { $0 == 0 }.count - 2_500) < 174)
    #expect(stream.geometric(1, in: 1) == 0)
  }

  @Test func `Poisson numbers have their mean as variance`() {
    var stream = RandomStream(seed: 11)
    let sample = (0..<10_000).map { _ in Double(stream.poisson(meanQ16: 3 << 15)) }
    let mean = sample.reduce(0, +) / 10_000
    let variance = sample.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 10_000
    #expect(abs(mean - 1.5) < 0.049)
    #expect(abs(variance - 1.5) < 0.11)
  }

  @Test func `every order of a shuffle is equally likely, and weights count`() {
    var stream = RandomStream(seed: 12)
    var orders: [[Int]: Int] = [:]
    for _ in 0..<12_000 {
      var things = [0, 1, 2, 3]
      stream.shuffle(&things)
      orders[things, default: 0] += 1
    }
    #expect(orders.count == 24)
    // 23 degrees of freedom: below 49.7 in 99.9 % of cases.
    #expect(orders.values.reduce(0.0) { $0 + Double(($1 - 500) * ($1 - 500)) / 500 } < 49.7)
    let picks = (0..<10_000).map { _ in stream.pick(weights: [1, 0, 3]) }
    #expect(!picks.contains(1))
    #expect(abs(picks.filter { $0 == 0 }.count - 2_500) < 174)
    #expect((0..<100).allSatisfy { _ in (3...5).contains(stream.next(in: 3...5)) && stream.pick([7]) == 7 })
  }

  /// Published here: who changes a distribution changes these, and every recorded run with them.
  @Test func `a seed gives these numbers for ever`() {
    var stream = RandomStream(seed: 7, name: "vectors")
    #expect((0..<4).map { _ in stream.normalQ16() } == [83_148, -2_428, -73_817, 34_698])
    #expect((0..<4).map { _ in stream.exponentialQ16() } == [228_987, 14_814, 9_415, 115_459])
    #expect((0..<4).map { _ in Int(Fading.milliBels(stream.next(), branches: 1)) } == [738, -848, 198, -305])
    #expect((0..<4).map { _ in stream.logNormal(median: 1000, sigmaQ16: 65_536) } == [1_924, 375, 144, 556])
    #expect((0..<4).map { _ in stream.geometric(1, in: 10) } == [16, 7, 4, 18])
    var things = Array(0..<8)
    stream.shuffle(&things)
    #expect(things == [3, 5, 2, 4, 0, 6, 7, 1])
    #expect((0..<3).map { Draw.bits(7, $0) } == [7_191_089_600_892_374_487, 309_689_372_594_955_804, 16_616_101_746_815_609_346])
  }
}
