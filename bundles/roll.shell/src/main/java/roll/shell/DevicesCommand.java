package roll.shell;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.ArrayList;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.RequiredService;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;
import roll.text.ByteSize;

/** {@code devices}: lists the devices that {@code device_mapping} can name. */
@Component(name = "roll.shell.devices", service = Command.class)
@RollCommand(function = "devices")
public final class DevicesCommand extends Command {
  /** Arguments and options of the command {@code devices}. */
  static final Syntax SYNTAX =
      new Syntax(
          "devices",
          "Lists the devices that roles can be mapped to.",
          List.of(),
          List.of(Option.flag("--json", "print one line of JSON, memory in bytes")));

  private final @Nullable DeviceInspector inspector;

  /** A command on the devices of {@code inspector}; null if no bundle inspects devices. */
  @Activate
  public DevicesCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable DeviceInspector inspector) {
    super(SYNTAX);
    this.inspector = inspector;
  }

  /** Returns the table, or a line of JSON. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    DeviceInspector found = RequiredService.of(inspector, "devices", "roll.torch");
    return given.flag("--json")
        ? Json.line(new Listing(found.devices(), found.library(), found.unused()))
        : page(found);
  }

  /** The JSON output of {@code devices --json}. */
  private record Listing(List<DeviceInfo> devices, String library, List<String> unused) {}

  private static String page(DeviceInspector found) {
    Table table = new Table().row("device", "kind", "name", "memory");
    for (DeviceInfo device : found.devices()) {
      table.row(
          Integer.toString(device.number()),
          device.kind(),
          device.name(),
          ByteSize.of(device.memory()));
    }
    List<String> lines = new ArrayList<>(List.of(table.toString(), found.library()));
    lines.addAll(found.unused());
    lines.add(
        "memory: what plan and gpu_memory_utilization count for a role on the device; a role"
            + " without device_mapping has the whole machine");
    lines.add("num_gpus_per_node sets the number of devices, device_memory_gb the memory of each");
    return String.join("\n", lines);
  }
}
