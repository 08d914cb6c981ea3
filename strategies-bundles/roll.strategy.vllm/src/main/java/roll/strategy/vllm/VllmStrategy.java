package roll.strategy.vllm;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.model.TokenizerLoader;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.huggingface.ModelFolder;
import roll.sampling.DeviceInferSession;
import roll.strategy.vllm.config.EngineMemory;
import roll.strategy.vllm.config.EngineOptions;
import roll.strategy.vllm.config.EngineSettings;
import roll.strategy.vllm.config.KvCacheSizing;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Models;
import roll.torch.model.TensorParallel;

/** Generates and scores with a whole model by continuous batching; its devices compute as one. */
@Component(name = "roll.strategy.vllm")
@RollStrategy({"vllm", "sglang"})
public final class VllmStrategy implements InferStrategy {
  private final Models models;
  private final TokenizerLoader tokenizers;

  /** Creates the strategy for model folders that {@code models} can read, and their tokenizers. */
  @Activate
  public VllmStrategy(@Reference Models models, @Reference TokenizerLoader tokenizers) {
    this.models = models;
    this.tokenizers = tokenizers;
  }

  @Override
  public List<Option<?>> options() {
    return EngineOptions.known();
  }

  @Override
  public List<String> notices(WorkerConfig worker) {
    EngineOptions options = new EngineOptions(worker);
    options.read();
    return options.notices();
  }

  @Override
  public boolean dividesLogits() {
    return true;
  }

  @Override
  public boolean batchInvariant() {
    return true;
  }

  @Override
  public boolean providesDistributions() {
    return true;
  }

  @Override
  public boolean continuous(WorkerConfig worker) {
    return continuous(worker, false);
  }

  @Override
  public boolean continuous(WorkerConfig worker, boolean synchronous) {
    return !new EngineOptions(worker).read().find(EngineOptions.DETERMINISTIC).orElse(synchronous);
  }

  @Override
  public boolean sleeps(WorkerConfig worker) {
    return new EngineOptions(worker).read().get(EngineOptions.SLEEP_LEVEL) > 0;
  }

  @Override
  public List<SessionMemory> expected(
      SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    Options options = new EngineOptions(config.worker()).read();
    EngineSettings settings = settings(config, spec, options);
    boolean card = models.devices().accelerated(config.worker().devices());
    boolean graphs = KvCacheSizing.graphs(card, config.worker().model().dtype(), options);
    int rows = Math.min(RecordedInput.MOST_ROWS, RecordedInput.bucket(settings.maxSequences()));
    EngineMemory memory = new EngineMemory(spec, settings, card, graphs ? rows : 0);
    return SessionMemory.spread(config.worker().devices(), memory.expected(config, activity));
  }

  private EngineSettings settings(SessionConfig config, DecoderSpec spec, Options options) {
    WorkerConfig worker = config.worker();
    return new KvCacheSizing(
            spec,
            Precision.of(worker.model()),
            config.sequenceLength(),
            models.devices().memory(config),
            models.devices().accelerated(worker.devices()))
        .settings(options, config.synchronous());
  }

  @Override
  public InferSession open(SessionConfig config) {
    WorkerConfig worker = config.worker();
    Options options = new EngineOptions(worker).read();
    ModelFolder folder = models.folder(worker.role(), worker.model());
    TensorParallel.of(options, worker).check(folder);
    Device device = models.devices().of(worker.devices(), config.deviceCount());
    EngineSettings settings = settings(config, folder.spec(), options);
    var setup = new DeviceInferSession.Setup(models, tokenizers, device, folder, config);
    return device.call(() -> new VllmSession(setup, settings));
  }
}
