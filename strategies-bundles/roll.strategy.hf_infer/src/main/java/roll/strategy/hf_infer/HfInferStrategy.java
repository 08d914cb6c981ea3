package roll.strategy.hf_infer;

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
import roll.api.scoring.ScoringSession;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.huggingface.ModelFolder;
import roll.sampling.DeviceInferSession;
import roll.torch.Device;
import roll.torch.model.Models;
import roll.torch.model.TensorParallel;

/** Generates and scores with a whole model; the devices of its role compute as one. */
@Component(name = "roll.strategy.hf_infer")
@RollStrategy("hf_infer")
public final class HfInferStrategy implements InferStrategy {
  private static final Option<Boolean> REUSE =
      Option.flag(
              "prefix_reuse",
              "keep the KV cache of a call for prompts of the next one that continue its"
                  + " sequences")
          .withDefault(true);
  private static final Option<Integer> BLOCK =
      Option.integer(
              "prefill_block_tokens",
              1,
              Integer.MAX_VALUE,
              "prompt tokens run at once; small blocks stay in the processor's cache")
          .withDefault(2048);
  private static final List<Option<?>> OPTIONS = List.of(REUSE, BLOCK, TensorParallel.SIZE);

  private final Models models;
  private final TokenizerLoader tokenizers;

  /** Creates the strategy for model folders that {@code models} can read, and their tokenizers. */
  @Activate
  public HfInferStrategy(@Reference Models models, @Reference TokenizerLoader tokenizers) {
    this.models = models;
    this.tokenizers = tokenizers;
  }

  @Override
  public List<Option<?>> options() {
    return OPTIONS;
  }

  @Override
  public List<String> notices(WorkerConfig worker) {
    Options options = worker.strategyOptions().checked(OPTIONS);
    settings(options);
    TensorParallel.of(options, worker);
    return List.of();
  }

  private static GenerationSettings settings(Options options) {
    return new GenerationSettings(options.get(REUSE), options.get(BLOCK));
  }

  private HfMemory memory(DecoderSpec spec, GenerationSettings settings, WorkerConfig worker) {
    return new HfMemory(spec, settings, models.devices().accelerated(worker.devices()));
  }

  @Override
  public List<SessionMemory> expected(
      SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    WorkerConfig worker = config.worker();
    HfMemory memory = memory(spec, settings(worker.strategyOptions().checked(OPTIONS)), worker);
    return SessionMemory.spread(worker.devices(), memory.expected(config, activity));
  }

  @Override
  public InferSession open(SessionConfig config) {
    WorkerConfig worker = config.worker();
    GenerationSettings settings = settings(worker.strategyOptions().checked(OPTIONS));
    ModelFolder folder = models.folder(worker.role(), worker.model());
    Device device = device(config, folder, settings);
    var setup = new DeviceInferSession.Setup(models, tokenizers, device, folder, config);
    return device.call(() -> new HfInferSession(setup, settings));
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
  public boolean scoresByHead() {
    return true;
  }

  @Override
  public ScoringSession openScoring(SessionConfig config) {
    GenerationSettings settings = settings(config.worker().strategyOptions().checked(OPTIONS));
    ModelFolder folder = models.rewardFolder(config.worker());
    Device device = device(config, folder, settings);
    return device.call(() -> new HfScoringSession(models, tokenizers, device, folder, config));
  }

  /**
   * Returns the device for a session of {@code config} with the model in {@code folder}, after
   * checking that it fits.
   */
  private Device device(SessionConfig config, ModelFolder folder, GenerationSettings settings) {
    WorkerConfig worker = config.worker();
    TensorParallel.of(worker.strategyOptions().checked(OPTIONS), worker).check(folder);
    memory(folder.spec(), settings, worker).requireWeights(worker, models.devices().memory(config));
    return models.devices().of(worker.devices(), config.deviceCount());
  }
}
