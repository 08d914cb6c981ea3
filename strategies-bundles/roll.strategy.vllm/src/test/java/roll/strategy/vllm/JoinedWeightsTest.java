package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.decoder.DecoderParameters;
import roll.testkit.WrittenFlash;
import roll.torch.CardOperators;
import roll.torch.Device;
import roll.torch.model.Parameters;

/** On cards the engine multiplies by the joined weights of a trainer. */
@Timeout(120)
final class JoinedWeightsTest {
  /** Models whose random weights spread so far that tokens differ. */
  enum Model {
    DENSE("\"model_type\": \"qwen2\", \"intermediate_size\": 96,", ""),
    ADAPTED(
        DENSE.config,
        "model.layers.0.self_attn.k_proj model.layers.1.mlp.up_proj"
            + " model.layers.1.mlp.down_proj model.layers.2.self_attn.v_proj"),
    EXPERTS(
        "\"model_type\": \"qwen3_moe\", \"head_dim\": 16, \"moe_intermediate_size\": 32,"
            + " \"num_experts\": 8, \"num_experts_per_tok\": 2, \"norm_topk_prob\": true,",
        "");

    private final String config;
    private final String adapted;

    Model(String config, String adapted) {
      this.config = config;
      this.adapted = adapted;
    }

    private Set<String> modules() {
      return Set.of(adapted.split(" ", -1));
    }
  }

  private final Path folder;
  private final RerunRecorder recorder = new RerunRecorder();

  JoinedWeightsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path described(Model model) throws IOException {
    for (String name : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(Tiny.SHIPPED.resolve(name), folder.resolve(name));
    }
    Files.writeString(
        folder.resolve("config.json"),
        """
        {%s "vocab_size": %d, "hidden_size": 64, "num_hidden_layers": 3,
         "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 256,
         "initializer_range": 0.15, "tie_word_embeddings": false}
        """
            .formatted(model.config, Tiny.VOCABULARY));
    return folder;
  }

  private Tiny card(Path described) {
    CardOperators written =
        new CardOperators(WrittenFlash.source(), null, WrittenFlash.groupedProduct());
    return new Tiny(described, Device.cpuWithCardTexts(1, written, recorder));
  }

  /** Weights of a trainer in {@code dtype}, with adapters that change something. */
  private static Parameters trained(Tiny tiny, Model model, Dtype dtype, long seed) {
    Parameters base = tiny.weights(seed);
    return tiny.device.call(
        () -> {
          Parameters weights = base;
          if (!model.adapted.isEmpty()) {
            weights = base.with(new Adapter(3, 6, false, 0, model.modules()), seed);
            spread(weights, seed);
          }
          if (dtype == Dtype.BF16) {
            weights.narrow(tiny.device);
          }
          weights.join();
          return weights;
        });
  }

  private static void spread(Parameters weights, long seed) {
    RandomGenerator random = RandomStreams.of(seed, "adapters");
    List<DecoderSpec.Parameter> all = DecoderParameters.of(weights.spec());
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).adapts()) {
        MemorySegment memory = weights.memory(i);
        for (long at = 0; at < memory.byteSize(); at += Float.BYTES) {
          memory.set(ValueLayout.JAVA_FLOAT, at, (float) (0.2 * random.nextGaussian()));
        }
      }
    }
  }

  private static List<GenerationRequest> requests() {
    return IntStream.rangeClosed(1, 7)
        .mapToObj(
            n ->
                Tiny.request(
                    IntStream.range(0, 4 * n).map(i -> 5 + (i * n) % 50).toArray(),
                    Sampling.of(20),
                    n))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Model.class)
  void responsesAreThoseOfSeparateWeights(Model model) throws IOException {
    Path described = described(model);
    try (Tiny processor = new Tiny(described);
        Tiny card = card(described)) {
      List<Parameters> separate = new ArrayList<>();
      List<Parameters> joined = new ArrayList<>();
      try (VllmSession expected = processor.open("enable_prefix_caching", false);
          VllmSession found = card.open("enable_prefix_caching", false)) {
        for (long seed = 2; seed < 4; seed++) {
          separate.add(trained(processor, model, Dtype.FP32, seed));
          joined.add(trained(card, model, Dtype.FP32, seed));
          expected.update(separate.getLast()).join();
          found.update(joined.getLast()).join();
          int before = recorder.replayed();
          List<Generation> wanted = expected.generate(requests()).join();
          List<Generation> there = found.generate(requests()).join();
          for (int i = 0; i < wanted.size(); i++) {
            assertArrayEquals(wanted.get(i).tokens(), there.get(i).tokens());
            assertArrayEquals(wanted.get(i).logProbs(), there.get(i).logProbs(), 1e-4);
          }
          assertTrue(recorder.replayed() > before, "decoding is recorded");
        }
      }
      separate.forEach(processor::free);
      joined.forEach(card::free);
    }
  }

  /** The texts for processors compute with the rows of joined weights. */
  @Test
  void aBatchInvariantEngineDrawsTheSameBits() throws IOException {
    Path described = described(Model.DENSE);
    try (Tiny processor = new Tiny(described);
        Tiny card = card(described)) {
      Parameters separate = trained(processor, Model.DENSE, Dtype.FP32, 2);
      Parameters joined = trained(card, Model.DENSE, Dtype.FP32, 2);
      try (VllmSession expected = processor.openInvariant(Dtype.FP32);
          VllmSession found = card.openInvariant(Dtype.FP32)) {
        expected.update(separate).join();
        found.update(joined).join();
        List<Generation> wanted = expected.generate(requests()).join();
        List<Generation> there = found.generate(requests()).join();
        for (int i = 0; i < wanted.size(); i++) {
          assertArrayEquals(wanted.get(i).logProbs(), there.get(i).logProbs(), 0);
        }
      }
      processor.free(separate);
      card.free(joined);
    }
  }

  /** Copies in another format are joined too, and overwritten by an update. */
  @ParameterizedTest
  @CsvSource({
    "DENSE, FP32",
    "DENSE, BF16",
    "ADAPTED, FP32",
    "ADAPTED, BF16",
    "EXPERTS, FP32",
    "EXPERTS, BF16"
  })
  void whatIsDrawnIsWhatIsScored(Model model, Dtype dtype) throws IOException {
    try (Tiny card = card(described(model))) {
      List<Parameters> used = new ArrayList<>();
      // a card does not reorder weights, as processors with AVX-512 would
      try (VllmSession session = card.open(Dtype.BF16, "reorder_weights", false)) {
        for (long seed = 2; seed < 4; seed++) {
          used.add(trained(card, model, dtype, seed));
          session.update(used.getLast()).join();
          Responses responses = new Responses(requests(), session.generate(requests()).join());
          double[] drawn = responses.drawn();
          assertEquals(7 * 20, drawn.length);
          double distance = Responses.distance(responses.scored(session), drawn);
          assertTrue(distance < 0.3, () -> "distance " + distance);
        }
      }
      used.forEach(card::free);
    }
  }
}
