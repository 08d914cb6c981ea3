package roll.config.roll;

import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.config.build.DeviceMapping;
import roll.runtime.dialect.ConfigDialect;
import roll.runtime.dialect.ConfigDraft;

/**
 * Translates keys of ROLL's configuration files that differ from this project's, and the files of
 * its other pipelines.
 */
@Component(name = "roll.config.roll", property = "service.ranking:Integer=100")
public final class RollDialect implements ConfigDialect {
  /** ROLL's default number of devices of a machine. */
  private static final int NODE = 8;

  @Override
  public @Nullable UnaryOperator<String> translate(ConfigDraft draft) {
    RollPipeline pipeline = RollPipeline.of(draft.tree());
    if (pipeline != null) {
      translate(new PipelineFile(draft, pipeline));
    }
    RollEnvironments.translate(draft);
    new RollRoles(draft).translate();
    return null;
  }

  private static void translate(PipelineFile file) {
    file.drop("num_nodes", null, "it follows from the devices of the roles, as in ROLL");
    nodes(file);
    if ("ml_tracker".equals(file.get("track_with"))) {
      file.drop("track_with", null, "there is no tracker ml_tracker");
      file.take("tracker_kwargs");
    }
    switch (file.pipeline()) {
      case SFT -> RollSupervised.sft(file);
      case DPO -> RollSupervised.dpo(file);
      case RLVR -> new RollRlvr(file).translate();
      case ON_POLICY_DISTILLATION -> RollDistillation.translate(file);
      case DISTILLATION -> RollSupervised.distillation(file);
    }
  }

  /** A role that names at least a node's devices is meant for nodes of ROLL's default size. */
  private static void nodes(PipelineFile file) {
    String key = "num_gpus_per_node";
    boolean whole =
        file.draft().tree().keySet().stream()
            .map(role -> role + ".device_mapping")
            .filter(mapping -> file.get(mapping) != null)
            .flatMap(mapping -> devices(file, mapping))
            .anyMatch(device -> device >= NODE - 1);
    if (whole && file.get(key) == null) {
      file.put(key, NODE);
      file.draft().notice("%s is %d, ROLL's default".formatted(key, NODE));
    }
  }

  private static Stream<Integer> devices(PipelineFile file, String mapping) {
    return DeviceMapping.devices(file.draft().where(mapping) + ": " + mapping, file.get(mapping))
        .stream();
  }
}
