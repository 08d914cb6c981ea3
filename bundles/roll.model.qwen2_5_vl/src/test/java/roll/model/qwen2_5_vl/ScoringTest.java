package roll.model.qwen2_5_vl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.image.ImagePatches;
import roll.api.image.Picture;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.batching.SharedPrefixes;
import roll.huggingface.ModelFolder;
import roll.testkit.ReferenceLayers;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.DecoderInput;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/** Log-probs and entropies of a small random model against {@link SlowModel}. */
final class ScoringTest {
  private static final Picture LARGE = TinyVl.picture(140, 84); // five by three squares
  private static final Picture SMALL = TinyVl.picture(56, 84);
  private static final int VIDEO = 151;
  private static final Picture ONE = TinyVl.picture(28, 28);

  @TempDir private Path temporary;
  @AutoClose private TinyVl model;
  private Path folder;

  @BeforeEach
  void open() throws IOException {
    folder = temporary.resolve("model");
    model = new TinyVl(folder);
  }

  /** A sample of some words and the places of pictures, and these. */
  private record Sample(int[] tokens, List<Picture> pictures) {}

  /** Words (numbers), and as many places as a picture has tokens. */
  private Sample sample(Object... parts) {
    List<Integer> tokens = new ArrayList<>();
    List<Picture> pictures = new ArrayList<>();
    for (Object part : parts) {
      switch (part) {
        case Picture picture -> {
          pictures.add(picture);
          tokens.addAll(Collections.nCopies(model.patches(picture).tokens(), TinyVl.IMAGE));
        }
        case Integer words -> {
          RandomGenerator random = RandomStreams.of(words, "words " + tokens.size());
          random.ints(words, 0, TinyVl.IMAGE).forEach(tokens::add);
        }
        default -> throw new IllegalArgumentException(part.toString());
      }
    }
    return new Sample(tokens.stream().mapToInt(Integer::intValue).toArray(), pictures);
  }

  private static TokenBatch batch(Sample... samples) {
    int[] offsets = new int[samples.length + 1];
    for (int i = 0; i < samples.length; i++) {
      offsets[i + 1] = offsets[i] + samples[i].tokens().length;
    }
    int[] tokens = Arrays.stream(samples).flatMapToInt(s -> Arrays.stream(s.tokens())).toArray();
    boolean[] scored = new boolean[tokens.length];
    Arrays.fill(scored, true);
    for (int t = 0; t < tokens.length; t++) {
      scored[t] = tokens[t] != TinyVl.IMAGE; // no response shows a picture
    }
    for (int i = 0; i < samples.length; i++) {
      scored[offsets[i]] = false;
    }
    return new TokenBatch(
        offsets, tokens, scored, Arrays.stream(samples).map(Sample::pictures).toList());
  }

  private Scores score(Path path, Dtype dtype, TokenBatch batch, Cutting cutting) {
    return model.device.call(
        () -> {
          ModelFolder opened = model.models.folder(path);
          try (Parameters parameters = model.models.read(model.device, opened, 0);
              Decoder decoder =
                  new Decoder(
                      model.device,
                      opened.spec(),
                      Precision.of(dtype),
                      128,
                      model.models.patches(opened))) {
            return new Scorer(model.device, decoder, cutting).score(parameters, batch);
          }
        });
  }

  private Scores score(TokenBatch batch) {
    return score(folder, Dtype.FP32, batch, new Cutting.Tokens(1000));
  }

  /** The logits of what can be drawn: not those of places of pictures and videos. */
  private static double[] words(double[] logits) {
    return IntStream.range(0, logits.length)
        .mapToDouble(word -> word == TinyVl.IMAGE || word == VIDEO ? -1e9 : logits[word])
        .toArray();
  }

  private void assertScored(Cutting cutting, Sample... samples) {
    TokenBatch batch = batch(samples);
    Scores scores = score(folder, Dtype.FP32, batch, cutting);
    SlowModel slow = new SlowModel(model.weights);
    for (int i = 0; i < samples.length; i++) {
      int[] tokens = samples[i].tokens();
      List<ImagePatches> seen = samples[i].pictures().stream().map(model::patches).toList();
      double[][] logits = slow.logits(tokens, seen);
      for (int t = 1; t < tokens.length; t++) {
        double[] row = words(logits[t - 1]);
        double sum = ReferenceLayers.logSum(row);
        double entropy = Arrays.stream(row).map(x -> (sum - x) * Math.exp(x - sum)).sum();
        int cell = batch.offsets()[i] + t;
        if (batch.scored()[cell]) {
          assertEquals(row[tokens[t]] - sum, scores.logProbs()[cell], 1e-4, i + " " + t);
        } else {
          entropy = 0;
        }
        assertEquals(entropy, scores.entropies()[cell], 1e-4, i + " " + t);
      }
    }
  }

  @Test
  void twoPicturesOfDifferentSize() {
    assertScored(new Cutting.Tokens(1000), sample(3, LARGE, 4, SMALL, 5));
  }

  @Test
  void picturesFirstAndLast() {
    assertScored(new Cutting.Tokens(1000), sample(ONE, 2, SMALL));
  }

  @Test
  void aPictureInALaterTurn() {
    assertScored(new Cutting.Tokens(1000), sample(20, SMALL, 7));
  }

  @Test
  void noPicture() {
    assertScored(new Cutting.Tokens(1000), sample(20));
  }

  /** Samples that show the same pictures, others and none, padded, packed and alone. */
  @Test
  void manySamples() {
    Sample[] samples = {
      sample(3, LARGE, 2, SMALL, 6), sample(9), sample(1, SMALL, 8), sample(4, ONE, 2, LARGE, 3)
    };
    for (Cutting cutting :
        List.of(
            new Cutting.Tokens(1000),
            new Cutting.Packed(1000, 1, false),
            new Cutting.Packed(50, 1, true),
            new Cutting.Tokens(1))) {
      assertScored(cutting, samples);
    }
  }

  /** Common prefixes with pictures are computed once, and end where another picture is shown. */
  @Test
  void commonPrefixes() {
    Sample[] samples = {
      sample(30, LARGE, 20, SMALL, 6),
      sample(30, LARGE, 20, SMALL, 8),
      sample(30, LARGE, 20, ONE, 5),
      sample(30, SMALL, 20, SMALL, 6),
      sample(30, SMALL, 20, SMALL, 6),
      sample(30)
    };
    for (Cutting plain : List.of(new Cutting.Tokens(1000), new Cutting.Packed(200, 1, false))) {
      Cutting shared = new SharedPrefixes(plain, TinyVl.IMAGE, 1);
      TokenBatch batch = batch(samples);
      assertTrue(shared.shared(batch, shared.parts(batch)) > 0.3);
      assertScored(shared, samples);
    }
  }

  @Test
  void whatIsSeenMatters() {
    Sample seen = sample(3, SMALL, 4);
    Sample other = new Sample(seen.tokens(), List.of(TinyVl.picture(56, 83)));
    double[] scores = score(batch(seen)).logProbs();
    double[] others = score(batch(other)).logProbs();
    int last = scores.length - 1;
    assertTrue(Math.abs(scores[last] - others[last]) > 1e-3);
  }

  @Test
  void bf16StaysNear() {
    TokenBatch batch = batch(sample(3, LARGE, 4, SMALL, 5));
    double[] exact = score(batch).logProbs();
    double[] near = score(folder, Dtype.BF16, batch, new Cutting.Tokens(1000)).logProbs();
    assertArrayEquals(exact, near, 0.15);
  }

  /** Text of a model that sees is that of its decoder, to the bit. */
  @Test
  void textAloneIsTheDecoders() throws IOException {
    Path plain = temporary.resolve("plain");
    TinyVl.files(plain, "{\"model_type\": \"qwen2\", %s}".formatted(TinyVl.TEXT));
    model.write(plain, "visual.", name -> name);
    TokenBatch batch = batch(sample(20), sample(7));
    for (boolean packed : new boolean[] {false, true}) {
      for (Dtype dtype : Dtype.values()) {
        assertArrayEquals(
            hidden(plain, dtype, batch, packed), hidden(folder, dtype, batch, packed));
      }
    }
  }

  /** Computes the inputs of the head, without image placeholders. */
  private float[] hidden(Path path, Dtype dtype, TokenBatch batch, boolean packed) {
    return model.device.call(
        () -> {
          ModelFolder opened = model.models.folder(path);
          try (Parameters parameters = model.models.read(model.device, opened, 0);
              Decoder decoder = new Decoder(model.device, opened.spec(), Precision.of(dtype), 128);
              NDManager manager = model.device.newManager()) {
            MicroBatch part = MicroBatch.of(batch, new int[] {0, 1}, packed);
            DecoderInput input = decoder.layers(manager, decoder.input(manager, batch, part), null);
            return decoder
                .kernels()
                .call(
                    manager,
                    "hidden",
                    input.tokens(),
                    input.rows(),
                    input.segments(),
                    input.places(),
                    input.features(),
                    parameters.tensors(),
                    input.cos(),
                    input.sin())
                .singletonOrThrow()
                .toFloatArray();
          }
        });
  }

  /** Returns the weight name since transformers 4.52. */
  @Test
  void newerNamesAreRead() throws IOException {
    UnaryOperator<String> newer =
        name ->
            name.startsWith("visual.")
                ? "model." + name
                : name.replace("model.", "model.language_model.");
    Path other = temporary.resolve("newer");
    TinyVl.files(other, TinyVl.CONFIG);
    Files.copy(
        folder.resolve("preprocessor_config.json"), other.resolve("preprocessor_config.json"));
    model.write(other, "", newer);
    TokenBatch batch = batch(sample(3, SMALL, 5));
    Scores found = score(other, Dtype.FP32, batch, new Cutting.Tokens(1000));
    assertArrayEquals(score(batch).logProbs(), found.logProbs());
  }

  private void assertRefused(String message, TokenBatch batch) {
    assertEquals(message, userError(() -> score(batch)));
  }

  @Test
  void picturesFitTheirPlaces() {
    Sample text = sample(4);
    assertRefused(
        "sample 1: picture 1 has 6 tokens, but 1 placeholders",
        batch(text, new Sample(sample(3, ONE, 4).tokens(), List.of(SMALL))));
    assertRefused(
        "sample 0: 1 pictures, but placeholders for 0",
        batch(new Sample(text.tokens(), List.of(ONE))));
    assertRefused(
        "sample 0: token 5 is an image placeholder, but there are only 1 pictures",
        batch(new Sample(sample(3, ONE, 1, ONE).tokens(), List.of(ONE))));
  }

  @Test
  void aBrokenPictureIsOneLine() {
    Picture broken = Picture.of(new byte[] {1, 2, 3});
    TokenBatch batch = batch(new Sample(sample(3, ONE, 4).tokens(), List.of(broken)));
    String refusal = userError(() -> score(batch));
    assertTrue(refusal.startsWith("picture " + broken), refusal);
  }

  @Test
  void aTextModelCannotSee() throws IOException {
    Path plain = temporary.resolve("plain");
    TinyVl.files(plain, "{\"model_type\": \"qwen2\", %s}".formatted(TinyVl.TEXT));
    model.write(plain, "visual.", name -> name);
    TokenBatch batch = batch(sample(3, ONE, 4));
    assertEquals(
        "sample 0 shows a picture, but a model of type qwen2 cannot see",
        userError(() -> score(plain, Dtype.FP32, batch, new Cutting.Tokens(1000))));
  }
}
