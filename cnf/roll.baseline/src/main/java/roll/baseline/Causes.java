package roll.baseline;

import aQute.bnd.service.diff.Delta;
import aQute.bnd.service.diff.Diff;
import aQute.bnd.service.diff.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Describes the first additions to and removals from a package. */
final class Causes {
  private static final int TOLD = 3;
  private static final Set<Type> TYPES =
      Set.of(Type.CLASS, Type.INTERFACE, Type.ENUM, Type.ANNOTATION);

  private final String prefix;
  private final List<String> found = new ArrayList<>();

  /** Creates the description of a package's difference. */
  Causes(Diff changed) {
    prefix = changed.getName() + ".";
    collect(changed, "");
  }

  private void collect(Diff diff, String place) {
    for (Diff part : diff.getChildren()) {
      if (part.getType() == Type.VERSION) {
        continue;
      }
      Delta delta = part.getDelta();
      String name = name(place, part);
      if (delta == Delta.ADDED || delta == Delta.REMOVED) {
        found.add(name + " " + delta.name().toLowerCase(Locale.ROOT));
      } else if (delta != Delta.UNCHANGED && delta != Delta.IGNORED) {
        collect(part, name);
      }
    }
  }

  private String name(String place, Diff part) {
    String name = part.getName().replace("java.lang.", "").replace(prefix, "");
    if (TYPES.contains(part.getType())) {
      return name;
    }
    if (part.getType() == Type.METHOD || part.getType() == Type.FIELD) {
      return name.startsWith("<init>")
          ? "new " + place + name.substring("<init>".length())
          : place + "." + name;
    }
    return place + ": " + name;
  }

  /** Returns, for example, {@code Episode.step(String) added, Step removed and 2 more}. */
  @Override
  public String toString() {
    String told = String.join(", ", found.subList(0, Math.min(TOLD, found.size())));
    return found.size() > TOLD ? told + " and " + (found.size() - TOLD) + " more" : told;
  }
}
