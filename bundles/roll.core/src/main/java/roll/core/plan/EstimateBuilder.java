package roll.core.plan;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Parameter;
import roll.core.Roles;
import roll.core.report.ProcessMemory;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelSpecs;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.RunEstimates;

/** Estimates the disk, host memory and time of a run. */
final class EstimateBuilder {
  /** Two moments and the weight itself, all 32 bits wide. */
  private static final long TRAINED_BYTES = 12;

  /**
   * Bytes per token in a trajectory (id, turn, log-prob, version) and in a batch (id, turn, mask).
   */
  private static final long TOKEN_BYTES = 4 + 4 + 8 + 8 + 4 + 4 + 1;

  /**
   * Columns per token in every batch: log-prob, reward, return, advantage before and after
   * whitening.
   */
  private static final int COLUMNS = 5;

  private final LoadedConfig config;
  private final RunConfig run;
  private final ModelSpecs models;

  EstimateBuilder(LoadedConfig config, ModelSpecs models) {
    this.config = config;
    this.run = config.run();
    this.models = models;
  }

  /**
   * Builds all estimates of the run.
   *
   * @param plan what the models hold, or null where no models are played with
   * @param devices says which are accelerators; null where the machine has none
   */
  RunEstimates build(@Nullable MemoryPlan plan, @Nullable DeviceInspector devices) {
    long written = config.onlySft() ? 0 : config.derived().getOrDefault("checkpoints", 0L);
    return new RunEstimates(
        checkpoint(),
        kept(written, run.schedule().checkpoints().maxCkptToKeep()),
        plan == null ? 0 : onHost(plan, devices),
        written > 0 && run.schedule().checkpoints().asyncSave() ? TRAINED_BYTES * trained() : 0,
        config.onlySft() ? 0 : batch(),
        ProcessMemory.ofMachine(),
        MeasuredSteps.of(config));
  }

  /**
   * Returns the number of checkpoints on disk at once: an old one is deleted after a new one is
   * complete.
   */
  static long kept(long written, int keep) {
    return keep == 0 ? written : Math.min(written, keep + 1L);
  }

  private long checkpoint() {
    long bytes = 0;
    for (Map.Entry<String, WorkerConfig> role : config.rolesByName().entrySet()) {
      if (Roles.TRAINED.contains(role.getKey())) {
        WorkerConfig worker = role.getValue();
        bytes += checkpoint(models.of(worker, run.roles().valued(role.getKey())), worker);
      }
    }
    return bytes;
  }

  /**
   * Adapters alone where those are trained, else the model as its dtype has it, and its masters.
   */
  static long checkpoint(DecoderSpec spec, WorkerConfig worker) {
    long trained = trained(spec, worker);
    if (spec.adapter() != null) {
      return TRAINED_BYTES * trained;
    }
    boolean narrow = worker.model().dtype() == Dtype.BF16;
    long weights = DecoderParameters.size(spec) * (narrow ? 2 : 4);
    return weights + trained * (narrow ? TRAINED_BYTES : TRAINED_BYTES - 4);
  }

  private long trained() {
    return config.rolesByName().entrySet().stream()
        .filter(role -> Roles.TRAINED.contains(role.getKey()))
        .mapToLong(
            role ->
                trained(
                    models.of(role.getValue(), run.roles().valued(role.getKey())), role.getValue()))
        .sum();
  }

  /** Weights that an optimizer has moments of. */
  static long trained(DecoderSpec spec, WorkerConfig worker) {
    if (spec.adapter() != null) {
      return DecoderParameters.size(spec) - DecoderParameters.size(spec.with(null));
    }
    return DecoderParameters.of(spec).stream()
        .filter(
            parameter -> worker.model().frozen().stream().noneMatch(parameter.name()::startsWith))
        .mapToLong(Parameter::size)
        .sum();
  }

  /** Roles without devices, and devices that are shares of the machine. */
  private long onHost(MemoryPlan plan, @Nullable DeviceInspector devices) {
    Set<Integer> cards = new HashSet<>();
    if (run.devices().memory() > 0) {
      plan.capacity().keySet().stream().filter(device -> device >= 0).forEach(cards::add);
    } else if (devices != null) {
      devices.devices(run.devices().count()).stream()
          .filter(device -> !device.kind().equals("cpu"))
          .map(DeviceInfo::number)
          .forEach(cards::add);
    }
    return plan.phases().stream()
        .mapToLong(
            phase ->
                plan.held(phase).entrySet().stream()
                    .filter(held -> !cards.contains(held.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .sum())
        .max()
        .orElse(0);
  }

  private long batch() {
    int columns = COLUMNS + (run.algorithm().recomputeOldLogProbs() ? 2 : 0);
    columns += run.roles().compares() ? 1 : 0;
    columns += run.divergences() ? 1 : 0;
    columns += run.roles().critic() == null ? 0 : 1;
    long tokens = (long) run.schedule().rolloutBatchSize() * run.sequenceLength();
    return tokens * (TOKEN_BYTES + 8L * columns);
  }
}
