package roll.cluster.inference;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.OptimizerName;
import roll.api.config.SchedulerArgs;
import roll.api.config.SequencePacking;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.image.Picture;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.StructuredOutput;
import roll.api.strategy.TokenBatch;
import roll.cluster.services.codec.MalformedMessageException;
import roll.cluster.services.codec.RecordCodec;
import roll.runtime.option.YamlOptions;

/** One message of each kind, with what reads it and writes it again. */
final class SampleMessages {
  private static final Picture PICTURE = Picture.of(new byte[] {1, 2, 3});

  private SampleMessages() {}

  /**
   * Bytes, and what they are when they have been read and written.
   *
   * @param again reads all of a message and writes what it read
   */
  record Message(String name, byte[] bytes, Function<byte[], byte[]> again) {}

  record Requests(List<GenerationRequest> requests) {}

  record Metrics(Map<String, Double> metrics) {}

  record Devices(List<SessionMemory> devices) {}

  private static <M extends Record, T> Message message(
      String name, Class<M> type, T value, Function<T, M> to, Function<M, T> from) {
    RecordCodec codec = RecordCodec.of(type);
    return new Message(
        name,
        codec.write(to.apply(value)),
        bytes -> {
          T read;
          try {
            read = from.apply(type.cast(codec.read(bytes)[0]));
          } catch (IllegalArgumentException | IndexOutOfBoundsException | NullPointerException e) {
            throw new MalformedMessageException(String.valueOf(e), e); // as a call fails
          }
          return codec.write(to.apply(read));
        });
  }

  static List<Message> all() {
    return List.of(
        message("requests", Requests.class, requests(), Requests::new, Requests::requests),
        message(
            "generation",
            ResponseMessage.class,
            generation(),
            ResponseMessage::of,
            ResponseMessage::response),
        message("batch", TokenBatch.class, batch(), batch -> batch, batch -> batch),
        message("scores", Scores.class, scores(), scores -> scores, RemoteInferSession::checked),
        message("config", SessionConfig.class, config(), config -> config, config -> config),
        message("spec", DecoderSpec.class, spec(), spec -> spec, spec -> spec),
        message("metrics", Metrics.class, metrics(), Metrics::new, Metrics::metrics),
        message("devices", Devices.class, devices(), Devices::new, Devices::devices));
  }

  static List<GenerationRequest> requests() {
    Sampling sampling =
        Sampling.of(7)
            .withTemperature(0.25)
            .withStopStrings(List.of("→ end", "\n"))
            .withLogitBias(Map.of(3, -0.5))
            .withAllowedTokenIds(List.of(3, 9));
    return List.of(
        new GenerationRequest(new int[] {1, -2, Integer.MAX_VALUE}, sampling, List.of(3, 4), -5L),
        new GenerationRequest(
            new int[] {9},
            Sampling.of(1).withStructuredOutput(new StructuredOutput.Json("{}")),
            List.of(),
            Long.MIN_VALUE),
        new GenerationRequest(new int[] {9, 8}, sampling, List.of(3), 12, 77, List.of(PICTURE)));
  }

  static Generation generation() {
    return new Generation(
        new int[] {5, 6, 7},
        new double[] {-0.5, Double.NaN, Double.NEGATIVE_INFINITY},
        new double[] {-0.25, -0.0, 0},
        true,
        new long[] {3, 3, 4});
  }

  static TokenBatch batch() {
    boolean[] scored = new boolean[11];
    scored[1] = true;
    scored[9] = true;
    return new TokenBatch(
        new int[] {0, 2, 2, 11},
        new int[11],
        scored,
        List.of(List.of(), List.of(PICTURE, PICTURE), List.of()));
  }

  static Scores scores() {
    return new Scores(new double[] {-1, -2}, new double[] {0.5, Math.PI}, new double[] {1, 0.25});
  }

  static SessionConfig config() {
    Map<String, @Nullable Object> options = new LinkedHashMap<>();
    options.put("block_size", 16);
    options.put("long", 1L << 40);
    options.put("big", new BigInteger("123456789012345678901234567890"));
    options.put("share", 0.5);
    options.put("nothing", null);
    options.put("deep", Map.of("list", Arrays.asList("a", null, List.of(true, Map.of()))));
    ModelConfig model =
        ModelConfig.of(Path.of("/models/tiny"), WorkerConfig.Dtype.BF16)
            .withFrozen(List.of("model.embed"))
            .withTemperature(0.7)
            .withLora(new LoraConfig(8, 16, 0.1, List.of("q_proj", "v_proj")));
    TrainingConfig training =
        new TrainingConfig(
            1e-3,
            0.1,
            0.9,
            0.999,
            4,
            2,
            2,
            "cosine",
            10,
            200,
            SchedulerArgs.STANDARD,
            OptimizerName.MUON);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            model,
            "qwen2_5",
            "vllm",
            YamlOptions.strategy("actor_infer", options),
            training,
            List.of(0, 1),
            64,
            new TokenBudgets(100, 200, new SequencePacking(true, 1, 2), true),
            Map.of("enable_thinking", true));
    return new SessionConfig(worker, 42, 1.0, 320, true, 2, 1L << 33, 2);
  }

  static DecoderSpec spec() {
    return new DecoderSpec(
            "qwen2",
            144,
            24,
            48,
            2,
            new DecoderSpec.Attention(4, 2, 6),
            Rope.standard(1000, 6).inSections(List.of(1, 1, 1)),
            512,
            1e-6,
            Set.of(DecoderSpec.Trait.TIED_HEAD, DecoderSpec.Trait.QUERY_KEY_VALUE_BIAS),
            0.02)
        .with(new Adapter(4, 8, true, 0.1, Set.of("model.layers.0.self_attn.q_proj", "x.y")))
        .seeing(
            new VisionSpec(
                7, 8, 2, 32, 2, 48, 3, 2, 14, 2, 0, Set.of(), new DeepStack(3, List.of(1))))
        .of(new DecoderSpec.Experts(8, 2, true));
  }

  static Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("vllm/steps", 3.0);
    metrics.put("a", Double.NaN);
    return metrics;
  }

  static List<SessionMemory> devices() {
    return List.of(
        new SessionMemory(-1, Map.of(MemoryKind.KV_CACHE, 5L, MemoryKind.PARAMETERS, 1L << 40)),
        new SessionMemory(1, Map.of()));
  }
}
