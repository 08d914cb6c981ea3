package roll.shell.deploy;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.BundleRevision;
import roll.shell.terminal.Table;

/** The deployed bundles for the user. */
final class DeployedTable {
  private static final String KIND = "roll.";

  private DeployedTable() {}

  /** Returns a table of {@code deployed}, jars by the numbers of their bundles. */
  static String of(BundleContext context, Map<Long, Path> deployed) {
    Table table = new Table().row("name", "version", "provides", "file");
    deployed.forEach(
        (id, jar) -> {
          Bundle bundle = context.getBundle(id);
          if (bundle != null) {
            table.row(
                String.valueOf(bundle.getSymbolicName()),
                bundle.getVersion().toString(),
                plugins(bundle),
                jar.toString());
          }
        });
    return deployed.isEmpty() ? "nothing is deployed" : table.sorted().toString();
  }

  private static String plugins(Bundle bundle) {
    BundleRevision revision = bundle.adapt(BundleRevision.class);
    return revision == null
        ? ""
        : revision.getDeclaredCapabilities(null).stream()
            .filter(capability -> capability.getNamespace().startsWith(KIND))
            .flatMap(
                capability -> {
                  String kind = capability.getNamespace();
                  Object names = capability.getAttributes().get(kind);
                  return ids(names).map(id -> kind.substring(KIND.length()) + "=" + id);
                })
            .sorted()
            .collect(Collectors.joining(", "));
  }

  private static Stream<?> ids(@Nullable Object names) {
    return names instanceof Collection<?> several ? several.stream() : Stream.ofNullable(names);
  }
}
