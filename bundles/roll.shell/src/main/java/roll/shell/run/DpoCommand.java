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

/** {@code dpo}: training on preferences, with DPO or another objective. */
@Component(name = "roll.shell.dpo", service = Command.class)
@RollCommand(function = "dpo")
public final class DpoCommand extends SupervisedCommand {
  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public DpoCommand(
      @Reference SftRunner runner,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(
        "dpo",
        "Trains on preferences: DPO, IPO, KTO … (section preference); Ctrl-C saves and stops.",
        (file, overrides) -> runner.startPreferences(file, overrides),
        interrupts);
  }
}
