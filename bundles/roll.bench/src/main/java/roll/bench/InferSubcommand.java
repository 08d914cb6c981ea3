package roll.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.api.strategy.InferStrategy;
import roll.huggingface.ModelFolder;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.model.Models;

/**
 * {@code bench infer} and {@code bench solver}: inference strategies.
 *
 * @param strategies by name
 */
record InferSubcommand(PrintStream out, Models models, Map<String, InferStrategy> strategies) {
  /** Name of the strategy that others are compared with. */
  static final String STANDARD = "hf_infer";

  /** Label of the small model. */
  static final String TINY = "tiny";

  /** Measures questions to a frozen model, one by one and as one batch. */
  void solve(Path model, DecoderSpec spec, boolean quick) {
    List<BenchStrategy> served = new ArrayList<>();
    strategies.forEach(
        (name, strategy) -> {
          if (List.of(STANDARD, "vllm").contains(name)) {
            served.add(new BenchStrategy(name, strategy));
          }
        });
    new QuestionBatchBench(out)
        .run(served, new BenchModel(TINY, model, spec, 1, 1, 1, 1), quick ? 1 : 3);
  }

  /**
   * Measures speculative decoding.
   *
   * @throws UserException if vllm is missing
   */
  void speculate(Device device, BenchArguments call, Path like) {
    InferStrategy continuous = strategies.get("vllm");
    if (continuous == null) {
      throw new UserException("bench speculation: no strategy 'vllm' is registered");
    }
    var config = call.large() ? BenchModel.halfBillion() : BenchModel.hundredMillion();
    config.put("tie_word_embeddings", false);
    try (RandomModel counting = RandomModel.create(config, like)) {
      ModelFolder described = models.folder(counting.folder());
      device.call(
          () -> {
            RandomModel.saveCounting(device, described);
            return true;
          });
      String name = call.large() ? "0.5B" : "100M";
      new SpeculationBench(out, new BenchStrategy("vllm", continuous), call.quick())
          .run(new BenchModel(name, counting.folder(), described.spec(), 1, 1, 1, 1));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Measures tokens/s of generation by strategy.
   *
   * @throws UserException if the strategy to compare with is missing
   */
  void decode(Device device, BenchArguments call, Path model) {
    InferStrategy standard = strategies.get(STANDARD);
    if (standard == null) {
      throw new UserException("bench infer: no strategy 'hf_infer' is registered");
    }
    BenchStrategy waves = new BenchStrategy(STANDARD, standard);
    List<BenchStrategy> decoding = new ArrayList<>(List.of(waves));
    List<BenchStrategy> talking = new ArrayList<>(List.of(waves));
    talking.add(waves.with("no reuse", Map.of("prefix_reuse", false)));
    InferStrategy continuous = strategies.get("vllm");
    if (continuous != null) {
      BenchStrategy served = new BenchStrategy("vllm", continuous);
      decoding.add(served);
      decoding.add(served.invariant());
      talking.add(served);
    }
    BenchModel small = new BenchModel(TINY, model, models.folder(model).spec(), 1, 1, 1, 1);
    MachineLimits limits = MachineLimits.of(device);
    limits.print(out);
    with(
        device,
        call.large(),
        model,
        large -> {
          List.of(small, large).forEach(subject -> out.println("  " + subject));
          InferBench inference = new InferBench(out, limits);
          Map<BenchModel, DecodeWorkload> loads = new LinkedHashMap<>();
          loads.put(small, DecodeWorkload.small(small, call.quick()));
          loads.put(large, DecodeWorkload.large(call.quick()));
          List<InferBench.Talk> talks = new ArrayList<>();
          talks.add(new InferBench.Talk(small, List.of(Dtype.values()), 2));
          if (!call.quick()) {
            talks.add(new InferBench.Talk(large, List.of(Dtype.BF16), 1));
          }
          inference.decode(decoding, loads, List.of(Dtype.values()));
          inference.converse(talking, talks);
        });
  }

  /** Calls {@code use} with the large model, whose files exist until it returns. */
  private void with(Device device, boolean larger, Path like, Consumer<BenchModel> use) {
    var config = larger ? BenchModel.halfBillion() : BenchModel.fourHundredMillion();
    try (RandomModel random = RandomModel.create(config, like)) {
      ModelFolder described = models.folder(random.folder());
      device.call(() -> RandomModel.save(device, described, TensorFormat.F32));
      String name = larger ? "0.5B" : "387M";
      use.accept(new BenchModel(name, random.folder(), described.spec(), 1, 1, 1, 1));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
