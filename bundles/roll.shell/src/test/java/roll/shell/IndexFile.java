package roll.shell;

import java.util.Map;

/** Indexes of OSGi repositories. */
final class IndexFile {
  private IndexFile() {}

  /** Returns the index of these bundles, by name and version. */
  static String of(Map<String, String> bundles) {
    StringBuilder index =
        new StringBuilder(
            "<repository xmlns='http://www.osgi.org/xmlns/repository/v1.0.0' name='roll'>");
    bundles.forEach(
        (name, version) ->
            index.append(
                """
                <resource>
                  <capability namespace='osgi.identity'>
                    <attribute name='osgi.identity' value='%s'/>
                    <attribute name='version' value='%s' type='Version'/>
                  </capability>
                  <capability namespace='osgi.wiring.bundle'>
                    <attribute name='osgi.wiring.bundle' value='wired'/>
                  </capability>
                </resource>
                """
                    .formatted(name, version)));
    return index.append("</repository>").toString();
  }
}
