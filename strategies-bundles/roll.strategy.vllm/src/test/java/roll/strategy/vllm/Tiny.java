package roll.strategy.vllm;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.model.DecoderSpec;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.huggingface.HuggingFaceTokenizers;
import roll.image.FolderImageProcessors;
import roll.model.gemma.GemmaFamily;
import roll.model.llama.LlamaFamily;
import roll.model.qwen2.Qwen2Family;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.model.qwen3_moe.Qwen3MoeFamily;
import roll.model.qwen3_vl.Qwen3VlFamily;
import roll.sampling.PictureCatalog;
import roll.sampling.RequestValidator;
import roll.sampling.ResponseState;
import roll.testkit.FakeImageProcessor;
import roll.testkit.TestOptions;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.vision.PicturePatches;

/** Sessions of the random model that plays FrozenLake, and sequences of its words. */
public final class Tiny implements AutoCloseable {
  static final int VOCABULARY = 144;

  static final Path SHIPPED =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");

  /** One thread, as tensors are too small for two. Shared, since it compiles kernels once. */
  private static final Devices SHARED = Devices.on(Device.cpu(1));

  final Device device;

  private final Devices devices;
  private final HuggingFaceTokenizers tokenizers;
  private final Models models;
  private final Path folder;
  private final PictureCatalog catalog =
      new PictureCatalog(
          FakeImageProcessor.VISION,
          new PicturePatches(FakeImageProcessor.VISION, FakeImageProcessor::new));
  private long arrivals;

  Tiny() {
    this(SHIPPED);
  }

  /** Another model of the same family, or one with experts. */
  Tiny(Path folder) {
    this(folder, SHARED);
  }

  /** The same with so many threads. */
  Tiny(Path folder, int threads) {
    this(folder, Device.cpu(threads));
  }

  /** The same on {@code device}, which it closes. */
  Tiny(Path folder, Device device) {
    this(folder, Devices.on(device));
  }

  private Tiny(Path folder, Devices devices) {
    this.folder = folder;
    this.device = devices.whole();
    this.devices = devices;
    this.tokenizers = new HuggingFaceTokenizers(devices);
    this.models = new Models(devices, tokenizers);
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    models.add(new GemmaFamily(), Map.of("roll.model", new String[] {"gemma"}));
    models.add(new LlamaFamily(), Map.of("roll.model", new String[] {"llama"}));
    models.add(new Qwen3MoeFamily(), Map.of("roll.model", new String[] {"qwen3_moe"}));
    models.add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    models.add(new Qwen3VlFamily(), Map.of("roll.model", new String[] {"qwen3_vl"}));
    models.setImageProcessors(new FolderImageProcessors());
  }

  /** Keys and values, one after the other. */
  public static Map<String, Object> options(@Nullable Object... given) {
    Map<String, Object> options = new LinkedHashMap<>();
    for (int i = 0; i < given.length; i += 2) {
      options.put((String) given[i], given[i + 1]);
    }
    return options;
  }

  /** A role with the weights of {@code folder}, on the default device. */
  public static WorkerConfig worker(
      Path folder, Dtype dtype, String strategy, Map<String, Object> options) {
    return worker(folder, dtype, strategy, options, List.of());
  }

  /** On the devices {@code devices}. */
  public static WorkerConfig worker(
      Path folder,
      Dtype dtype,
      String strategy,
      Map<String, Object> options,
      List<Integer> devices) {
    ModelConfig model = ModelConfig.of(folder, dtype);
    return new WorkerConfig(
        "actor_infer",
        model,
        "native",
        strategy,
        TestOptions.strategy("actor_infer", options),
        TrainingConfig.NONE,
        devices,
        64);
  }

  VllmStrategy strategy() {
    return new VllmStrategy(models, tokenizers);
  }

  /** The model's tokenizer, to be closed. */
  Tokenizer tokenizer() {
    return tokenizers.load(folder);
  }

  VllmSession open(Dtype dtype, @Nullable Object... options) {
    WorkerConfig worker = worker(folder, dtype, "vllm", options(options));
    return (VllmSession) strategy().open(new SessionConfig(worker, 1, 1.0, 256));
  }

  /** A session whose log-probs are those of logits divided by {@code temperature}. */
  VllmSession openScaled(double temperature) {
    WorkerConfig plain = worker(folder, Dtype.FP32, "vllm", Map.of());
    WorkerConfig worker = plain.withModel(plain.model().withTemperature(temperature));
    return (VllmSession) strategy().open(new SessionConfig(worker, 1, 1.0, 256));
  }

  /** A batch-invariant session. */
  VllmSession openInvariant(Dtype dtype, @Nullable Object... options) {
    WorkerConfig plain = worker(folder, dtype, "vllm", options(options));
    WorkerConfig worker = plain.withModel(plain.model().withBatchInvariant(true));
    return (VllmSession) strategy().open(new SessionConfig(worker, 1, 1.0, 256));
  }

  VllmSession open(@Nullable Object... options) {
    return open(Dtype.FP32, options);
  }

  /** A session on some of {@code count} devices. */
  VllmSession openOn(List<Integer> numbers, int count, Dtype dtype, @Nullable Object... options) {
    WorkerConfig worker = worker(folder, dtype, "vllm", options(options), numbers);
    return (VllmSession) strategy().open(new SessionConfig(worker, 1, 1.0, 256, false, count));
  }

  /** One of two devices. */
  Device half(int number) {
    return devices.of(List.of(number), 2);
  }

  /** The model. */
  DecoderSpec spec() {
    return models.folder(folder).spec();
  }

  /** Random weights as {@code seed} says; the sessions start with those of 1. */
  Parameters weights(long seed) {
    return weights(device, seed);
  }

  /** The same on another device. */
  Parameters weights(Device device, long seed) {
    return device.call(() -> models.read(device, models.folder(folder), seed));
  }

  /** Weights to be read alone, where they lie if they are in {@code dtype}. */
  Parameters mapped(Dtype dtype) {
    return device.call(() -> models.map(device, models.folder(folder), 1, dtype, List.of()));
  }

  void free(Parameters parameters) {
    parameters
        .device()
        .call(
            () -> {
              parameters.close();
              return true;
            });
  }

  /** The text of a token. */
  String text(int token) {
    try (Tokenizer tokenizer = tokenizers.load(folder)) {
      return tokenizer.decode(new int[] {token}, true);
    }
  }

  static GenerationRequest request(int[] prompt, Sampling sampling, long seed) {
    return new GenerationRequest(prompt, sampling, List.of(), seed);
  }

  static Generation one(VllmSession session, GenerationRequest request) {
    return session.generate(List.of(request)).join().getFirst();
  }

  /** Returns a sequence without computed tokens, younger than earlier ones. */
  EngineRequest sequence(int limit, long seed, int... prompt) {
    return sequence(limit, seed, List.of(), prompt);
  }

  /** The same, which ends behind any of {@code stops}. */
  EngineRequest sequence(int limit, long seed, List<Integer> stops, int... prompt) {
    return sequence(new GenerationRequest(prompt, Sampling.of(limit), stops, seed), null);
  }

  /** One that shows pictures of {@link FakeImageProcessor}. */
  EngineRequest showing(List<Picture> pictures, int limit, int... prompt) {
    return sequence(
        new GenerationRequest(prompt, Sampling.of(limit), List.of(), 1).withPictures(pictures),
        catalog);
  }

  private EngineRequest sequence(GenerationRequest request, @Nullable PictureCatalog shown) {
    RequestValidator requests =
        new RequestValidator(
            models.folder(folder), tokenizers, shown, Integer.MAX_VALUE, "max_model_len");
    List<ResponseState> responses = requests.responses(List.of(request), null);
    RequestGroup call = new RequestGroup(responses, new CompletableFuture<>(), 0);
    return new EngineRequest(call, responses.getFirst(), arrivals++);
  }

  @Override
  public void close() {
    if (devices != SHARED) {
      devices.close();
    }
  }
}
