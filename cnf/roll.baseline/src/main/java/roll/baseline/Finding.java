package roll.baseline;

import aQute.bnd.differ.Baseline;
import aQute.bnd.differ.Baseline.Info;
import aQute.bnd.header.Attrs;
import aQute.bnd.service.diff.Delta;
import aQute.bnd.version.Version;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of the comparison for one package.
 *
 * @param baseline the comparison of its bundle
 * @param info bnd's result
 * @param raised the raised version as an attribute, or null
 */
record Finding(Baseline baseline, Info info, @Nullable Attrs raised) {
  /** Returns the problem; empty if the version is correct. */
  Optional<String> line() {
    Delta delta = info.packageDiff.getDelta();
    if (delta == Delta.ADDED) {
      return Optional.empty();
    }
    if (delta == Delta.REMOVED) {
      return removed();
    }
    Version needed = needed(delta);
    int compared = steps(info.newerVersion).compareTo(needed);
    if (compared == 0 || (compared > 0 && onPurpose())) {
      return Optional.empty();
    }
    String line =
        "%s: package %s has version %s and needs %s (released with %s: %s): %s"
            .formatted(
                baseline.getBsn(),
                info.packageName,
                info.newerVersion,
                needed,
                baseline.getOlderVersion(),
                info.olderVersion,
                delta == Delta.MAJOR || delta == Delta.MINOR
                    ? new Causes(info.packageDiff)
                    : "no signature changed");
    return Optional.of(
        compared < 0
            ? line
            : line
                + "; if its meaning changed, say so by "
                + BaselineCheck.RAISED
                + " in the bundle's bnd.bnd");
  }

  private Optional<String> removed() {
    Version bundle = baseline.getOlderVersion();
    Version needed = new Version(bundle.getMajor() + 1, 0, 0);
    return baseline.getNewerVersion().getMajor() > bundle.getMajor()
        ? Optional.empty()
        : Optional.of(
            "%s: package %s is gone, which was released with %s: keep it, or the bundle has version %s and needs %s"
                .formatted(
                    baseline.getBsn(),
                    info.packageName,
                    bundle,
                    baseline.getNewerVersion().toStringWithoutQualifier(),
                    needed));
  }

  private boolean onPurpose() {
    return raised != null && info.newerVersion.equals(Version.parseVersion(raised.getVersion()));
  }

  private Version needed(Delta delta) {
    Version old = steps(info.olderVersion);
    return switch (delta) {
      case MAJOR -> new Version(old.getMajor() + 1, 0, 0);
      case MINOR -> new Version(old.getMajor(), old.getMinor() + 1, 0);
      default -> old;
    };
  }

  /** Returns the version without its micro part, which bnd's version ranges ignore. */
  private static Version steps(Version version) {
    return new Version(version.getMajor(), version.getMinor(), 0);
  }
}
