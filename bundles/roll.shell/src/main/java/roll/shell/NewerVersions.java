package roll.shell;

import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.Version;
import roll.shell.terminal.Table;

/** Compares installed bundles with those of a repository. */
final class NewerVersions {
  /** The order of versions where a snapshot comes before its release, as in Maven. */
  static final Comparator<Version> ORDER =
      Comparator.comparing(
              (Version version) ->
                  new Version(version.getMajor(), version.getMinor(), version.getMicro()))
          .thenComparing(version -> !version.getQualifier().equals("SNAPSHOT"))
          .thenComparing(Comparator.naturalOrder());

  private NewerVersions() {}

  /**
   * Returns a report: a line about roll, then a row for each newer bundle that is not at roll's
   * version in both places.
   *
   * @param main the bundle whose version is roll's
   * @param here the installed bundles with their versions
   * @param there those of the repository
   */
  static String report(Bundle main, SortedMap<String, Version> here, Map<String, Version> there) {
    Version installed = main.getVersion();
    Version offered = there.getOrDefault(main.getSymbolicName(), installed);
    Table table = new Table().row("bundle", "installed", "newer");
    boolean others = false;
    for (var bundle : here.entrySet()) {
      Version version = bundle.getValue();
      Version other = there.getOrDefault(bundle.getKey(), version);
      boolean together = version.equals(installed) && other.equals(offered);
      if (ORDER.compare(version, other) < 0 && !together) {
        table.row(bundle.getKey(), version.toString(), other.toString());
        others = true;
      }
    }
    String roll =
        ORDER.compare(installed, offered) < 0
            ? "roll %s is newer than %s".formatted(offered, installed)
            : "roll %s: nothing newer".formatted(installed);
    return others ? roll + "\n\n" + table : roll;
  }
}
