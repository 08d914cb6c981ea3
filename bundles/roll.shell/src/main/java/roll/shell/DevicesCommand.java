package roll.shell;

import java.util.ArrayList;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.device.DeviceFacts;
import roll.api.device.DeviceInspector;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Option;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;
import roll.text.ByteSize;

/** {@code devices}: what {@code device_mapping} can name. */
@Component(name = "roll.shell.devices", service = DevicesCommand.class)
@RollCommand(function = "devices", description = DevicesCommand.SUMMARY)
public final class DevicesCommand {
  static final String SUMMARY = "Lists the devices that roles can be mapped to.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "devices",
          SUMMARY,
          List.of(),
          List.of(Option.flag("--json", "print one line of JSON, memory in bytes")));

  private final @Nullable DeviceInspector inspector;

  /** A command that shows what {@code inspector} finds. */
  @Activate
  public DevicesCommand(
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable DeviceInspector inspector) {
    this.inspector = inspector;
  }

  /** The table, or a line of JSON. */
  @Descriptor(SUMMARY)
  public String devices(CommandSession session, @Descriptor("[--json]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    DeviceInspector found = RequiredService.of(inspector, "devices", "roll.torch");
    return given.flag("--json")
        ? Json.line(new Listing(found.devices(), found.library(), found.unused()))
        : page(found);
  }

  /** What {@code --json} prints. */
  private record Listing(List<DeviceFacts> devices, String library, List<String> unused) {}

  private static String page(DeviceInspector found) {
    Table table = new Table().row("device", "kind", "what", "memory");
    for (DeviceFacts device : found.devices()) {
      table.row(
          Integer.toString(device.number()),
          device.kind(),
          device.name(),
          ByteSize.of(device.memory()));
    }
    List<String> lines = new ArrayList<>(List.of(table.toString(), found.library()));
    lines.addAll(found.unused());
    lines.add(
        "Memory is what plan and gpu_memory_utilization count for a role on the device; a role"
            + " without device_mapping has the whole machine.");
    lines.add(
        "num_gpus_per_node divides the machine into another number of devices, device_memory_gb"
            + " says what each has.");
    return String.join("\n", lines);
  }
}
