package roll.decoder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;

class ActivationEstimateTest {
  /** 4 layers of width 12, two heads of 6, feed-forward 20, 10 words. */
  private static DecoderSpec spec(Trait... traits) {
    return new DecoderSpec(
        "test",
        10,
        12,
        20,
        4,
        new Attention(2, 1, 6),
        Rope.standard(10_000, 6),
        64,
        1e-6,
        Set.of(traits),
        0.02);
  }

  @Test
  void aLayerIsItsStreamsAndWhatItsProductsGive() {
    // 6 · 12 in f32; 2 · 12 + 4 · 12 + 4 · 20 in dtype
    assertEquals(7 * 4 * (72 + 152), new ActivationEstimate(spec(), Dtype.FP32).layer(7));
    assertEquals(7 * (4 * 72 + 2 * 152), new ActivationEstimate(spec(), Dtype.BF16).layer(7));
    assertEquals(7 * 4 * 12, new ActivationEstimate(spec(), Dtype.BF16).stream(7));
    // GELU keeps its input, a square and a sigmoid in f32: 3 · 20
    DecoderSpec gelu = spec(Trait.GELU);
    assertEquals(7 * (4 * 132 + 2 * 152), new ActivationEstimate(gelu, Dtype.BF16).layer(7));
  }

  @Test
  void checkpointingKeepsTheInputsOfLayersAndOneLayer() {
    ActivationEstimate need = new ActivationEstimate(spec(), Dtype.FP32);
    long layer = 7 * 4 * 224;
    long stream = 7 * 4 * 12;
    long head = 4 * 4 * 70; // three times the logits, and what is kept
    assertEquals(head, need.head(7, true));
    assertEquals(3 * 4 * 70, need.head(7, false));
    assertEquals(4 * stream + layer + 2 * stream + head, need.training(7, true));
    assertEquals(4 * layer + 2 * stream + head, need.training(7, false));
    assertEquals(layer, need.scoring(7));
  }

  /** Two layers of width 8, feed-forward 10; four patches a token, of 24 numbers. */
  @Test
  void aTowerLooksAtAsManySquaresAsThereAreTokens() {
    DecoderSpec blind = spec();
    DecoderSpec seeing = blind.seeing(new VisionSpec(9, 8, 2, 8, 1, 10, 3, 2, 2, 2, 8, Set.of(1)));
    ActivationEstimate need = new ActivationEstimate(seeing, Dtype.BF16);
    ActivationEstimate text = new ActivationEstimate(blind, Dtype.BF16);
    long patches = 4 * 28 * 24;
    long layer = 28 * (4 * 6 * 8 + 2 * (6 * 8 + 4 * 10));
    long inputs = 2 * 4 * 28 * 8;
    assertEquals(patches + Math.max(layer, text.scoring(7)), need.scoring(7));
    assertEquals(text.training(7, true) + patches + inputs + layer, need.training(7, true));
    assertEquals(text.training(7, false) + patches + 2 * layer, need.training(7, false));
    assertEquals(text.training(7, true) + patches + layer, need.training(7, true, false));
  }

  /** A chunk is 2,048 rows of 100,000 logits, which are there twice in f32 and once in bf16. */
  @Test
  void onACardChunksHaveManyRows() {
    DecoderSpec large =
        new DecoderSpec(
            "test",
            100_000,
            12,
            20,
            4,
            new Attention(2, 1, 6),
            Rope.standard(10_000, 6),
            64,
            1e-6,
            Set.of(),
            0.02);
    ActivationEstimate need = new ActivationEstimate(large, Dtype.BF16, true);
    assertEquals(10L * 1000 * 100_000, need.head(1000, true));
    assertEquals(10L * 2048 * 100_000, need.head(5000, true));
    assertEquals(10L * 70 + 4 * 70, new ActivationEstimate(spec(), Dtype.FP32, true).head(7, true));
  }

  /** 14 rows and 4 times 8 of padding, of which one is the copy with padding of width 12. */
  @Test
  void onACardRowsOfExpertsArePadded() {
    DecoderSpec experts = spec().of(new Experts(4, 2, true));
    long plain = new ActivationEstimate(experts, Dtype.BF16).layer(7);
    long padded = 2 * ((14 + 32) * 12 + 32 * 4 * 20);
    assertEquals(plain + padded, new ActivationEstimate(experts, Dtype.BF16, true).layer(7));
    assertEquals(
        new ActivationEstimate(spec(), Dtype.BF16).layer(7),
        new ActivationEstimate(spec(), Dtype.BF16, true).layer(7));
  }

  @Test
  void theHeadWorksInChunks() {
    ActivationEstimate need = new ActivationEstimate(spec(), Dtype.FP32);
    assertEquals(3L << 26, need.head(1 << 23, true));
    assertEquals(0, new ActivationEstimate(spec(Trait.VALUE_HEAD), Dtype.FP32).head(7, true));
  }
}
