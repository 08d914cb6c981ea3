package roll.openai.dialect;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The dialects of the installed bundles, added and removed while requests are answered. */
@Component(name = "roll.openai", service = Dialects.class)
public final class Dialects {
  private final Map<String, Dialect> dialects = new ConcurrentHashMap<>();

  /** Adds a dialect. */
  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  public void add(Dialect dialect) {
    dialect.paths().forEach(path -> dialects.put(path, dialect));
  }

  /** Removes a dialect. */
  public void remove(Dialect dialect) {
    dialect.paths().forEach(path -> dialects.remove(path, dialect));
  }

  /** Returns the dialect of requests to {@code path}, or to an object in it; null for none. */
  public @Nullable Dialect at(String path) {
    Dialect exact = dialects.get(path);
    return exact != null
        ? exact
        : dialects.get(path.substring(0, Math.max(0, path.lastIndexOf('/'))));
  }
}
