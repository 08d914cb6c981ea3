package roll.baseline;

import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Analyzer;
import aQute.bnd.osgi.Jar;
import aQute.bnd.service.verifier.VerifierPlugin;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes bnd compare the packages that a bundle exports with those that were released last, {@code
 * cnf/released/<bundle>.jar}. A package whose version does not say what has changed is an error of
 * one line. A bundle of which nothing was released is not looked at.
 *
 * <p>What a package means may change where no signature does: {@link #RAISED} in {@code bnd.bnd}
 * allows to raise a version that the comparison alone would leave.
 */
public final class BaselineCheck implements VerifierPlugin {
  /** Header of packages with a raised version: {@code a.b;version=2.0.0}. */
  static final String RAISED = "-baseline-raised";

  private static final String RELEASED = "cnf/released";

  /** Created by bnd, by its name in {@code -plugin}. */
  public BaselineCheck() {}

  @Override
  public void verify(Analyzer analyzer) throws Exception {
    for (Path at = analyzer.getBase().toPath(); at != null; at = at.getParent()) {
      Path released = at.resolve(RELEASED).resolve(analyzer.getBsn() + ".jar");
      if (Files.isRegularFile(released)) {
        Parameters raised = analyzer.parseHeader(analyzer.getProperty(RAISED));
        try (Jar older = new Jar(released.toFile())) {
          for (String finding : Comparison.of(analyzer.getJar(), older, raised)) {
            analyzer.error("%s", finding);
          }
        }
        return;
      }
    }
  }
}
