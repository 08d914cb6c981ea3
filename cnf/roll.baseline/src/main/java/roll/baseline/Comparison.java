package roll.baseline;

import aQute.bnd.differ.Baseline;
import aQute.bnd.differ.Baseline.Info;
import aQute.bnd.differ.DiffPluginImpl;
import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Instructions;
import aQute.bnd.osgi.Jar;
import aQute.bnd.osgi.Processor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Compares the package versions of a bundle with those of the last release. */
final class Comparison {
  private static final String OURS = "roll";

  private Comparison() {}

  /**
   * Returns the problems of {@code newer}, a line per package.
   *
   * @param raised packages whose version is raised on purpose, with that version
   */
  static List<String> of(Jar newer, Jar older, Parameters raised) throws Exception {
    List<String> findings = new ArrayList<>();
    try (Processor reporter = new Processor()) {
      Baseline baseline = new Baseline(reporter, new DiffPluginImpl());
      List<Info> infos =
          new ArrayList<>(baseline.baseline(ours(newer), older, new Instructions(OURS + ".*")));
      infos.sort(Comparator.comparing(info -> info.packageName));
      for (Info info : infos) {
        new Finding(baseline, info, raised.get(info.packageName)).line().ifPresent(findings::add);
      }
    }
    return findings;
  }

  /**
   * Returns {@code jar} without the classes of libraries; not to be closed, since that closes the
   * resources of {@code jar}.
   */
  private static Jar ours(Jar jar) throws Exception {
    Jar ours = new Jar(jar.getName());
    ours.setManifest(jar.getManifest());
    jar.getResources()
        .forEach(
            (path, resource) -> {
              if (path.startsWith(OURS + "/") && path.endsWith(".class")) {
                ours.putResource(path, resource);
              }
            });
    return ours;
  }
}
