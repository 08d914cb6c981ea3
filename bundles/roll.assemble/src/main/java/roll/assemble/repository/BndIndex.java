package roll.assemble.repository;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import org.osgi.resource.Resource;
import roll.api.option.UserException;
import roll.runtime.deploy.PluginIndex;
import roll.runtime.deploy.PluginOffer;
import roll.text.OneLine;
import roll.text.Suggestion;

/** An index, parsed by bnd. */
final class BndIndex implements PluginIndex {
  private static final long MOST_BYTES = 1L << 30;

  private final RepositoryFiles files;
  private final InstalledSystem system;
  private final String signature;

  /** All bundles, newest versions first. */
  private final List<IndexedBundle> bundles;

  BndIndex(
      RepositoryFiles files, String signature, List<Resource> resources, InstalledSystem system) {
    this.files = files;
    this.signature = signature;
    this.system = system;
    this.bundles =
        trusted(
            () ->
                resources.stream()
                    .flatMap(resource -> IndexedBundle.of(resource).stream())
                    .sorted(
                        Comparator.comparing(
                            IndexedBundle::version, IndexedBundle.ORDER.reversed()))
                    .toList());
  }

  /**
   * Returns the result of {@code work}, in which bnd or the framework throw many exceptions on
   * invalid attributes and filters, and recurse through nested ones.
   */
  private <T> T trusted(Supplier<T> work) {
    try {
      return work.get();
    } catch (UserException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new UserException(
          OneLine.of(RepositoryFiles.shown(files.index()) + ": an entry is invalid: " + reason), e);
    }
  }

  @Override
  public String signature() {
    return signature;
  }

  @Override
  public List<PluginOffer> newest() {
    Map<String, PluginOffer> newest = new TreeMap<>();
    bundles.forEach(bundle -> newest.putIfAbsent(bundle.offer().name(), bundle.offer()));
    return List.copyOf(newest.values());
  }

  @Override
  public @Nullable PluginOffer at(URI address) {
    for (IndexedBundle bundle : bundles) {
      if (files.names(bundle.url(), address)) {
        return bundle.offer();
      }
    }
    return null;
  }

  @Override
  public List<PluginOffer> resolve(String wanted) {
    List<IndexedBundle> versions = bundles.stream().filter(one -> one.is(wanted)).toList();
    List<String> names = versions.stream().map(one -> one.offer().name()).distinct().toList();
    if (names.size() != 1) {
      throw names.isEmpty() ? unknown(wanted) : several(wanted, names);
    }
    Optional<Version> here = system.version(names.getFirst());
    UserException failure = null;
    for (IndexedBundle bundle : versions) {
      if (here.isPresent() && IndexedBundle.ORDER.compare(bundle.version(), here.get()) <= 0) {
        break;
      }
      try {
        return offers(bundle);
      } catch (UserException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return List.of();
  }

  @Override
  public List<PluginOffer> resolve(PluginOffer wanted) {
    return offers(indexed(wanted));
  }

  private List<PluginOffer> offers(IndexedBundle wanted) {
    IdentityHashMap<Resource, PluginOffer> offers = new IdentityHashMap<>();
    bundles.forEach(bundle -> offers.put(bundle.resource(), bundle.offer()));
    List<PluginOffer> chosen = new ArrayList<>();
    for (Resource resource : trusted(() -> IndexResolution.of(system, wanted, bundles))) {
      chosen.add(Objects.requireNonNull(offers.get(resource)));
    }
    return chosen;
  }

  private IndexedBundle indexed(PluginOffer offer) {
    return bundles.stream().filter(one -> one.offer().equals(offer)).findFirst().orElseThrow();
  }

  private UserException unknown(String wanted) {
    TreeSet<String> known = new TreeSet<>();
    for (IndexedBundle bundle : bundles) {
      known.add(bundle.offer().name());
      known.addAll(bundle.offer().provides());
    }
    return new UserException(
        RepositoryFiles.shown(files.index())
            + ": it lists no bundle '"
            + OneLine.of(wanted)
            + "'"
            + Suggestion.near(wanted, known));
  }

  private UserException several(String wanted, List<String> names) {
    return new UserException(
        OneLine.of(
            RepositoryFiles.shown(files.index())
                + ": several bundles provide "
                + wanted
                + ": "
                + String.join(", ", names)
                + "; name one of them"));
  }

  @Override
  public Path fetch(PluginOffer offer, Path folder) throws InterruptedException {
    IndexedBundle bundle = indexed(offer);
    String from = RepositoryFiles.shown(files.below(bundle.url()));
    if (offer.bytes() <= 0 || offer.bytes() > MOST_BYTES) {
      throw new UserException(
          "%s: its index gives it %d bytes; at most %d are allowed"
              .formatted(from, offer.bytes(), MOST_BYTES));
    }
    Path jar = folder.resolve(offer.name() + "-" + offer.version() + ".jar");
    files.copy(bundle.url(), jar, offer.bytes());
    try {
      if (Files.size(jar) != offer.bytes()) {
        throw new UserException(
            "%s: it has %s%d bytes, the index says %d: truncated or replaced"
                .formatted(
                    from,
                    Files.size(jar) > offer.bytes() ? "more than " : "",
                    Math.min(Files.size(jar), offer.bytes()),
                    offer.bytes()));
      }
      if (!sha256(jar).equals(bundle.sha256())) {
        throw new UserException(from + ": its SHA-256 is not the one in the index");
      }
      requireManifest(jar, bundle, from);
    } catch (IOException e) {
      throw new UserException(from + ": not a jar: " + OneLine.of(e), e);
    }
    return jar;
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] chunk = new byte[1 << 16];
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        digest.update(chunk, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Checks that a jar is the bundle that the index says it is. */
  private static void requireManifest(Path jar, IndexedBundle bundle, String from)
      throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      Manifest manifest = file.getManifest();
      Attributes headers = manifest == null ? new Attributes() : manifest.getMainAttributes();
      String name = String.valueOf(headers.getValue(Constants.BUNDLE_SYMBOLICNAME));
      String version = headers.getValue(Constants.BUNDLE_VERSION);
      if (!name.replaceFirst(";.*", "").strip().equals(bundle.offer().name())
          || !bundle.version().equals(Version.parseVersion(version))) {
        throw new UserException(
            OneLine.of(
                "%s: it is %s %s, not %s as the index says"
                    .formatted(from, name, version, bundle.offer().title())));
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
