package roll.decoder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.model.Rope;
import roll.api.option.UserException;

/** YaRN's positions. */
final class RopeReaderTest {
  private static Rope yarn(Map<String, Object> more) {
    Map<String, Object> scaling = new HashMap<>(Map.of("type", "yarn", "factor", 4.0));
    scaling.putAll(more);
    ConfigReader config =
        new ConfigReader("config.json", Map.of("rope_theta", 1_000_000.0, "rope_scaling", scaling));
    return RopeReader.read(config, 128, 32_768);
  }

  /**
   * The YaRN settings of Qwen2.5's model card. By hand: ln(32768 / 64π) = 5.0937 and ln(32768 / 2π)
   * = 8.5594, times 128 / (2 ln 10⁶) = 4.6325: 23.60 and 39.65, so that pairs up to 23 stay, those
   * from 40 on turn four times slower, and pair 30 is 7/17 of the way.
   */
  @Test
  void slowPairsAreStretchedAndFastOnesStay() {
    Rope rope = yarn(Map.of("original_max_position_embeddings", 32_768L));
    Rope standard = Rope.standard(1e6, 128);
    assertEquals(standard.frequencies().subList(0, 24), rope.frequencies().subList(0, 24));
    for (int pair = 40; pair < 64; pair++) {
      double slower = standard.frequencies().get(pair) / 4;
      assertEquals(slower, rope.frequencies().get(pair), 1e-7 * slower);
    }
    double between = Math.pow(1e6, -60.0 / 128) * (7.0 / 17 / 4 + 10.0 / 17);
    assertEquals(between, rope.frequencies().get(30), 1e-6 * between);
    assertEquals(0.1 * Math.log(4) + 1, rope.attentionFactor(), 1e-12);
    assertEquals(rope, yarn(Map.of()), "max_position_embeddings where the original is not said");
  }

  /** Numbers worked out by hand: without rounding the ramp goes from 23.596 to 39.651. */
  @Test
  void everyFieldIsHeeded() {
    assertEquals(0.5, yarn(Map.of("attention_factor", 0.5)).attentionFactor());
    assertEquals(
        (0.1 * 2 * Math.log(4) + 1) / (0.1 * 0.5 * Math.log(4) + 1),
        yarn(Map.of("mscale", 2.0, "mscale_all_dim", 0.5)).attentionFactor(),
        1e-12);
    double share = (30 - 23.596) / (39.651 - 23.596);
    double frequency = Math.pow(1e6, -60.0 / 128);
    assertEquals(
        frequency * (share / 4 + 1 - share),
        yarn(Map.of("truncate", false)).frequencies().get(30),
        1e-3 * frequency);
    assertEquals(
        Rope.standard(1e6, 128).frequencies().get(39) / 4,
        yarn(Map.of("beta_slow", 2.0)).frequencies().get(39),
        1e-9);
  }

  @Test
  void whatIsWrongIsSaid() {
    assertEquals(
        "config.json: rope_scaling.beta_fast: expected at least beta_slow 1.0, found '0.5'",
        assertThrows(UserException.class, () -> yarn(Map.of("beta_fast", 0.5))).getMessage());
  }
}
