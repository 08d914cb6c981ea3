package roll.shell.run;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.command.Interrupts;
import roll.runtime.pipeline.SftRunner;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;

/** {@code sft}: supervised fine-tuning before reinforcement learning. */
@Component(name = "roll.shell.sft", service = Command.class)
@RollCommand(function = "sft")
public final class SftCommand extends SupervisedCommand {
  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public SftCommand(
      @Reference SftRunner runner,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(
        "sft",
        "Fine-tunes on demonstrations (section sft); Ctrl-C saves and stops.",
        (file, overrides) -> runner.start(file, overrides),
        interrupts);
  }
}
