import Determinism
import Testing

@Suite struct RandomStreamTests {
  /// The first outputs of Vigna's splitmix64.c from the state 1234567, as published with many ports of it.
  @Test func `SplitMix64 gives its published numbers`() {
    var generator = SplitMix64(state: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  /// The first outputs of xoshiro256starstar.c from the state 1, 2, 3, 4, as the crate rand_xoshiro tests them.
  @Test func `xoshiro256** gives its published numbers`() {
    var stream = RandomStream(state: (1, 2, 3, 4))
    let numbers = (0..<10).map { _ in stream.next() }
    #expect(
      numbers == [
        11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360, 607_988_272_756_665_600,
        16_172_922_978_634_559_625, 8_476_171_486_693_032_832, 10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
      ])
  }

  @Test func `a bound is never reached and every number below it is drawn`() {
    var stream = RandomStream(seed: 7)
    var counts = [Int](repeating: 0, count: 6)
    for _ in 0..<60_000 { counts[Int(stream.next(below: 6))] += 1 }
    // Six equal chances, 60,000 draws: chi-squared with 5 degrees of freedom stays below 20.5 in 99.9 % of cases.
    let chiSquared = counts.reduce(0.0) { $0 + Double(($1 - 10_000) * ($1 - 10_000)) / 10_000 }
    #expect(chiSquared < 20.5)
  }

  @Test func `a range may be of all numbers that there are`() {
    var (stream, plain) = (RandomStream(seed: 7), RandomStream(seed: 7))
    let numbers = (0..<100).map { _ in stream.next(in: Int.min...Int.max) }
    #expect(numbers == (0..<100).map { _ in Int.min &+ Int(truncatingIfNeeded: plain.next()) })
    let drawn = (0..<100).map { _ in stream.next(in: Int.min..<Int.max) }
    #expect(drawn.contains { $0 < 0 } && drawn.contains { $0 > 0 })
    let above = (0..<100).map { _ in stream.next(in: -3...Int.max) }
    #expect(above.allSatisfy { $0 >= -3 })
  }

  @Test func `streams of one seed with different names differ, and each is the same again`() {
    var first = RandomStream(seed: 7, name: "access points")
    var second = RandomStream(seed: 7, name: "fading")
    var again = RandomStream(seed: 7, name: "access points")
    let numbers = (0..<4).map { _ in first.next() }
    #expect(numbers != (0..<4).map { _ in second.next() })
    #expect(numbers == (0..<4).map { _ in again.next() })
  }
}
