package roll.api.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frequencies against numbers worked out by hand from the formulas. */
final class RopeTest {
  /** One rounding of 32 bits at each of about four steps. */
  private static final double ROUNDING = 3e-7;

  private static void assertFrequency(double expected, Rope rope, int index) {
    assertEquals(expected, rope.frequencies().get(index), ROUNDING * expected);
  }

  @Test
  void pairsTurnSlowerAndSlower() {
    Rope rope = Rope.standard(10_000, 8);
    assertEquals(4, rope.frequencies().size());
    assertFrequency(1, rope, 0);
    assertFrequency(0.1, rope, 1);
    assertFrequency(0.01, rope, 2);
    assertFrequency(0.001, rope, 3);
    assertEquals(1, rope.attentionFactor());
  }

  @Test
  void linearSlowsAllAlike() {
    Rope rope = Rope.standard(10_000, 8).linear(4);
    assertFrequency(0.25, rope, 0);
    assertFrequency(0.00025, rope, 3);
  }

  /** Qwen3-VL: 24 frequencies for time, 20 for height and width, every third of the first 60. */
  @Test
  void sectionsMayBeInterleaved() {
    List<Integer> axes = Rope.standard(5e6, 128).interleaved(List.of(24, 20, 20)).axes();
    assertEquals(List.of(0, 1, 2, 0, 1, 2, 0), axes.subList(0, 7));
    assertEquals(List.of(0, 1, 2, 0, 0, 0, 0), axes.subList(57, 64));
    assertEquals(20, Collections.frequency(axes, 1));
    assertEquals(20, Collections.frequency(axes, 2));
    Rope uneven = Rope.standard(1e4, 12).interleaved(List.of(3, 2, 1));
    assertEquals(List.of(0, 1, 2, 0, 1, 0), uneven.axes());
    assertEquals(
        List.of(0, 0, 1, 1, 1, 2), Rope.standard(1e4, 12).inSections(List.of(2, 3, 1)).axes());
  }

  /**
   * Llama 3.1 8B: θ 500000, heads of 128, factor 8, low 1, high 4, 8192 positions. Waves below 2048
   * (pairs up to 28) stay, those above 8192 (from pair 35 on) become 8 times as long.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 1.0",
    "1, 0.8146172338565447",
    "28, 0.003211445994752591",
    "29, 0.002166570763503359",
    "30, 0.0013718935677611381",
    "34, 0.0001785078127679964",
    "35, 9.556212353964683e-05",
    "63, 3.068925988914511e-07"
  })
  void llama31(int pair, double expected) {
    assertFrequency(expected, Rope.standard(500_000, 128).llama3(8, 1, 4, 8192), pair);
  }

  /** Llama 3.2 1B: heads of 64, factor 32. */
  @ParameterizedTest
  @CsvSource({
    "14, 0.003211445994752591",
    "15, 0.001290547928209264",
    "16, 0.00042955679655936815",
    "17, 9.70828780262767e-05",
    "18, 1.9461638184831125e-05",
    "31, 9.41830672543491e-08"
  })
  void llama32(int pair, double expected) {
    assertFrequency(expected, Rope.standard(500_000, 64).llama3(32, 1, 4, 8192), pair);
  }
}
