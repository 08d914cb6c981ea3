package roll.config;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import roll.api.config.WorkerConfig;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.RunConfig;

/** The notices on a configuration. */
final class Notices {
  private static final String IDLE = " has no effect here: ";

  private Notices() {}

  /**
   * The notices of {@code notices} on another system's options that never have an effect here,
   * without those on options that another one disables.
   */
  static Set<String> ofOtherSystems(List<String> notices) {
    Set<String> unneeded = new LinkedHashSet<>();
    for (String notice : notices) {
      if (notice.contains(IDLE) && !notice.endsWith(" is false")) {
        unneeded.add(notice);
      }
    }
    return unneeded;
  }

  /**
   * Notices about the temperature of log-probs in training if the sampling temperature is not 1.
   */
  static List<String> ofSampling(RunConfig run) {
    EnvManagerConfig envs = run.rollout().trainEnvs();
    double temperature = envs.sampling().temperature();
    if (temperature == 1 || temperature == 0 || !envs.proxy().isPolicy()) {
      return List.of();
    }
    String form =
        run.roles().actorTrain().model().temperature() == 1
            ? "those of temperature 1, as in ROLL; with scale_logits_by_temperature: true they are"
                + " of logits divided by it, as in verl and TRL"
            : "of logits divided by it, as in verl and TRL (scale_logits_by_temperature: true)";
    return List.of(
        "train_env_manager.generating_args.temperature is "
            + temperature
            + ": log-probs, ratios, KL terms and entropies are "
            + form);
  }

  /**
   * Notices about {@code roles} that compute in bf16 on CPUs without bf16 instructions.
   *
   * @param count number of devices of the run
   * @param devices lists the devices
   */
  static List<String> ofFormats(
      Collection<WorkerConfig> roles, int count, DeviceInspector devices) {
    if (devices.multipliesBf16()) {
      return List.of();
    }
    Set<Integer> cards =
        devices.devices(count).stream()
            .filter(device -> device.kind().equals("cuda"))
            .map(DeviceInfo::number)
            .collect(Collectors.toSet());
    String slow =
        roles.stream()
            .filter(worker -> worker.model().dtype() == WorkerConfig.Dtype.BF16)
            .filter(worker -> worker.devices().stream().noneMatch(cards::contains))
            .map(WorkerConfig::role)
            .collect(Collectors.joining(", "));
    return slow.isEmpty()
        ? List.of()
        : List.of(
            "model_args.dtype is bf16 (%s): this processor has no instructions for it (AVX512-BF16, AMX), so it can take ten times as long as fp32; write fp32 unless the memory is needed"
                .formatted(slow));
  }

  /**
   * The subset of {@code notices} whose key is not referenced by an interpolation, so that it has
   * no effect.
   */
  static List<String> unused(List<String> notices, Set<String> referenced) {
    return notices.stream()
        .filter(notice -> referenced.stream().noneMatch(key -> notice.contains("'" + key + "'")))
        .toList();
  }
}
