package roll.assemble.repository;

import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.resource.ResourceUtils;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Version;
import org.osgi.resource.Capability;
import org.osgi.resource.Resource;
import roll.runtime.deploy.PluginOffer;
import roll.text.OneLine;

/**
 * A bundle in an index.
 *
 * @param resource its capabilities and requirements
 * @param offer for the user
 * @param version bundle version
 * @param url of its jar, as the index has it
 * @param sha256 of its jar, in lower case
 */
record IndexedBundle(
    Resource resource, PluginOffer offer, Version version, String url, String sha256) {
  /** The order of versions where a snapshot comes before its release, as in Maven. */
  static final Comparator<Version> ORDER =
      Comparator.comparing((Version v) -> new Version(v.getMajor(), v.getMinor(), v.getMicro()))
          .thenComparing(v -> !v.getQualifier().equals("SNAPSHOT"))
          .thenComparing(Comparator.naturalOrder());

  private static final String IDENTITY = "osgi.identity";
  private static final String CONTENT = "osgi.content";
  private static final String KIND = "roll.";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

  /** Returns the bundle of {@code resource}; empty if that is something else. */
  static Optional<IndexedBundle> of(Resource resource) {
    Capability identity = first(resource, IDENTITY);
    Capability content = first(resource, CONTENT);
    if (identity == null || content == null) {
      return Optional.empty();
    }
    Map<String, Object> is = identity.getAttributes();
    Map<String, Object> has = content.getAttributes();
    String name = String.valueOf(is.get(IDENTITY));
    String sha256 = String.valueOf(has.get(CONTENT)).toLowerCase(Locale.ROOT);
    if (!"osgi.bundle".equals(is.get("type"))
        || !NAME.matcher(name).matches()
        || !SHA_256.matcher(sha256).matches()
        || !(has.get("size") instanceof Long size)) {
      return Optional.empty();
    }
    Version version = Version.parseVersion(String.valueOf(is.getOrDefault("version", "0.0.0")));
    Object license = is.getOrDefault("license", "");
    return Optional.of(
        new IndexedBundle(
            resource,
            new PluginOffer(
                name,
                version.toString(),
                plugins(resource).map(OneLine::of).sorted().toList(),
                OneLine.of(String.join(", ", new Parameters(license.toString()).keySet())),
                size),
            version,
            String.valueOf(has.get("url")),
            sha256));
  }

  private static @Nullable Capability first(Resource resource, String namespace) {
    List<Capability> all = resource.getCapabilities(namespace);
    return all.isEmpty() ? null : all.getFirst();
  }

  private static Stream<String> plugins(Resource resource) {
    return ResourceUtils.capabilityStream(resource, null)
        .filter(capability -> capability.getNamespace().startsWith(KIND))
        .flatMap(
            capability -> {
              String kind = capability.getNamespace();
              Object names = capability.getAttributes().get(kind);
              Collection<?> all = names instanceof Collection<?> several ? several : List.of();
              return (all.isEmpty() && names != null ? Stream.of(names) : all.stream())
                  .map(name -> kind.substring(KIND.length()) + "=" + name);
            });
  }

  /** Returns whether this is {@code wanted}: its name, or {@code kind=id} of a plugin. */
  boolean is(String wanted) {
    String plugin = wanted.startsWith(KIND) ? wanted.substring(KIND.length()) : wanted;
    return offer.name().equals(wanted) || offer.provides().contains(plugin);
  }
}
