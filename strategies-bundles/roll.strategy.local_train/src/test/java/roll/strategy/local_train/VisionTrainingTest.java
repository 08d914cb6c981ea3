package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.huggingface.Safetensors;

/** Training of a model that sees: whole, without its tower, and by adapters. */
class VisionTrainingTest {
  private static final int IMAGE = 150;
  private static final List<String> PROCESSORS =
      List.of("preprocessor_config.json", "video_preprocessor_config.json");
  private static final String CONFIG =
      """
      {"model_type": "qwen2_5_vl", "vocab_size": 160, "hidden_size": 32, "intermediate_size": 48,
       "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
       "max_position_embeddings": 64, "rope_theta": 1000.0, "tie_word_embeddings": true,
       "initializer_range": 0.1, "image_token_id": 150, "video_token_id": 151,
       "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]},
       "vision_config": {"depth": 2, "hidden_size": 32, "num_heads": 2, "intermediate_size": 40,
         "out_hidden_size": 32, "window_size": 56, "fullatt_block_indexes": [1]}}
      """;
  private static final String PROCESSOR =
      "{\"image_processor_type\": \"Qwen2VLImageProcessor\", \"min_pixels\": 784}";

  private final Path folder;
  @AutoClose private final TinyModel model;

  VisionTrainingTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = tiny(folder.resolve("source"));
  }

  private static TinyModel tiny(Path folder) throws IOException {
    TinyModel model = new TinyModel(folder, CONFIG);
    for (String file : PROCESSORS) {
      Files.writeString(folder.resolve(file), PROCESSOR);
    }
    return model;
  }

  private static Picture picture(int width, int height) {
    RandomGenerator random = RandomStreams.of(width, "picture " + height);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < width * height; i++) {
      image.setRGB(i % width, i / width, random.nextInt(1 << 24));
    }
    return Picture.png(image);
  }

  /** Five samples, of which three show pictures of four, six or both numbers of tokens. */
  private static TokenBatch batch() {
    Picture four = picture(56, 56);
    Picture six = picture(84, 56);
    List<List<Picture>> pictures =
        List.of(List.of(four), List.of(), List.of(six, four), List.of(), List.of(six));
    int[][] places = {{2, 6}, {}, {1, 7, 9, 13}, {}, {4, 10}};
    RandomGenerator random = RandomStreams.of(1, "words");
    int[] offsets = new int[6];
    int[] tokens = random.ints(5 * 18, 0, IMAGE).toArray();
    boolean[] scored = new boolean[tokens.length];
    for (int i = 0; i < 5; i++) {
      offsets[i + 1] = offsets[i] + 18;
      for (int p = 0; p < places[i].length; p += 2) {
        Arrays.fill(tokens, offsets[i] + places[i][p], offsets[i] + places[i][p + 1], IMAGE);
      }
      Arrays.fill(scored, offsets[i] + 13, offsets[i + 1], true);
    }
    return new TokenBatch(offsets, tokens, scored, pictures);
  }

  private TrainSession open(ModelConfig config, int lanes) {
    return model
        .strategy()
        .open(model.config(config, 2, Map.of("parallel_micro_batches", lanes), 32));
  }

  private static double[] score(TrainSession session) {
    return session.score(batch()).join().logProbs();
  }

  private static void steps(TrainSession session, int count) {
    for (int i = 0; i < count; i++) {
      TokenBatch batch = batch();
      assertFalse(session.update(batch, TinyModel.likelihood(batch)).join().skipped());
    }
  }

  /** Names of the tensors that differ. */
  private static Set<String> changed(Path before, Path after) {
    Set<String> changed = new TreeSet<>();
    try (Safetensors first = Safetensors.open(before);
        Safetensors last = Safetensors.open(after);
        Arena arena = Arena.ofConfined()) {
      assertEquals(first.tensors().keySet(), last.tensors().keySet());
      first
          .tensors()
          .forEach(
              (name, tensor) -> {
                if (tensor.map(arena).mismatch(last.tensors().get(name).map(arena)) >= 0) {
                  changed.add(name);
                }
              });
    }
    return changed;
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void trainsAllAndSavesAFolder(Dtype dtype) throws IOException {
    Path first = folder.resolve("first");
    Path last = folder.resolve("last");
    double[] scores;
    try (TrainSession session = open(ModelConfig.of(model.folder, dtype), 1)) {
      session.save(first).join();
      double before = Arrays.stream(score(session)).sum();
      steps(session, 8);
      scores = score(session);
      assertTrue(Arrays.stream(scores).sum() > before + 5);
      session.save(last).join();
    }
    Set<String> changed = changed(first, last);
    assertTrue(changed.contains("visual.patch_embed.proj.weight"));
    assertTrue(changed.contains("visual.merger.mlp.2.weight"));
    if (dtype == Dtype.FP32) { // bf16 swallows small steps
      assertEquals(1 + 2 * 12 + 1 + 1 + 2 * 12 + 5, changed.size());
    }
    for (String file : PROCESSORS) {
      assertEquals(PROCESSOR, Files.readString(last.resolve(file)));
    }
    try (Safetensors files = Safetensors.open(last)) {
      assertEquals(
          List.of(32L, 3L, 2L, 14L, 14L),
          files.tensors().get("visual.patch_embed.proj.weight").shape());
    }
    try (TrainSession session = open(ModelConfig.of(last, dtype), 1)) {
      assertArrayEquals(scores, score(session));
    }
  }

  @Test
  void aCheckpointGoesOn() {
    ModelConfig config = ModelConfig.of(model.folder, Dtype.FP32);
    Path saved = folder.resolve("saved");
    double[] expected;
    try (TrainSession session = open(config, 1)) {
      steps(session, 2);
      session.save(saved).join();
      steps(session, 2);
      expected = score(session);
    }
    try (TrainSession session = open(config, 1)) {
      session.restore(saved).join();
      steps(session, 2);
      assertArrayEquals(expected, score(session));
    }
  }

  @Test
  void lanesChangeTheSumAlone() {
    ModelConfig config = ModelConfig.of(model.folder, Dtype.FP32);
    try (TrainSession one = open(config, 1);
        TrainSession two = open(config, 2)) {
      steps(one, 2);
      steps(two, 2);
      assertArrayEquals(score(one), score(two), 1e-4);
    }
  }

  @Test
  void theTowerMayBeFrozen() {
    Path first = folder.resolve("first");
    Path last = folder.resolve("last");
    ModelConfig config = ModelConfig.of(model.folder, Dtype.FP32).withFrozen(List.of("visual"));
    try (TrainSession session = open(config, 1)) {
      session.save(first).join();
      steps(session, 4);
      session.save(last).join();
    }
    Set<String> changed = changed(first, last);
    assertEquals(1 + 2 * 12 + 1, changed.size());
    assertTrue(changed.stream().noneMatch(name -> name.startsWith("visual")));
    try (Safetensors moments = Safetensors.open(last.resolve("trainer/moments.safetensors"))) {
      assertEquals(2 * changed.size(), moments.tensors().size());
    }
  }

  @Test
  void theTowerAloneMayBeTrained() {
    Path first = folder.resolve("first");
    Path last = folder.resolve("last");
    ModelConfig config = ModelConfig.of(model.folder, Dtype.FP32).withFrozen(List.of("model"));
    try (TrainSession session = open(config, 1)) {
      session.save(first).join();
      double before = Arrays.stream(score(session)).sum();
      steps(session, 4);
      assertTrue(Arrays.stream(score(session)).sum() > before);
      session.save(last).join();
    }
    assertEquals(1 + 2 * 12 + 5, changed(first, last).size());
  }

  @Test
  void adaptersAreTheDecoders() {
    LoraConfig lora = new LoraConfig(4, 8, 0.1, List.of("all-linear"));
    ModelConfig plain = ModelConfig.of(model.folder, Dtype.FP32);
    Path weights = folder.resolve("weights");
    double[] before;
    try (TrainSession whole = open(plain, 1)) {
      before = score(whole);
      whole.save(weights).join();
    }
    Path last = folder.resolve("last");
    ModelConfig adapted = ModelConfig.of(weights, Dtype.FP32).withLora(lora);
    double[] after;
    try (TrainSession session = open(adapted, 1)) {
      assertArrayEquals(before, score(session));
      steps(session, 8);
      after = score(session);
      assertTrue(Arrays.stream(after).sum() > Arrays.stream(before).sum() + 1);
      assertArrayEquals(before, session.scoreBase(batch()).join().logProbs());
      session.save(last).join();
    }
    try (Safetensors adapters = Safetensors.open(last.resolve("adapter_model.safetensors"))) {
      assertEquals(2 * 7 * 2, adapters.tensors().size());
    }
    try (TrainSession session = open(adapted, 1)) {
      session.restore(last).join();
      assertArrayEquals(after, score(session));
    }
  }

  @Test
  void valueModelsAreRefused() {
    String refusal =
        userError(
            () ->
                model
                    .strategy()
                    .openValues(
                        model.config(ModelConfig.of(model.folder, Dtype.FP32), 2, Map.of(), 32)));
    assertEquals(
        model.folder + ": value models with vision are not supported; use one for text", refusal);
  }
}
