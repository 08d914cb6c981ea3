package roll.config.roll;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.runtime.dialect.ConfigDialect;
import roll.runtime.dialect.ConfigDraft;

/**
 * Translates keys of ROLL's configuration files that differ from this project's, and the files of
 * its other pipelines.
 */
@Component(name = "roll.config.roll", property = "service.ranking:Integer=100")
public final class RollDialect implements ConfigDialect {
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
    switch (file.pipeline()) {
      case SFT -> RollSupervised.sft(file);
      case DPO -> RollSupervised.dpo(file);
      case RLVR -> new RollRlvr(file).translate();
      case ON_POLICY_DISTILLATION -> RollDistillation.translate(file);
      case DISTILLATION -> {
        // has been refused
      }
    }
  }
}
