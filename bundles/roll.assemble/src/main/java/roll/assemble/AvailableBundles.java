package roll.assemble;

import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Domain;
import aQute.bnd.osgi.resource.ResourceBuilder;
import aQute.bnd.osgi.resource.ResourceUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.resource.Resource;

/** The available bundles: those of the running distribution and the deployed ones. */
final class AvailableBundles {
  /** Folder of the bundles in the executable jar. */
  static final String FOLDER = "jar/";

  private AvailableBundles() {}

  /**
   * One available bundle.
   *
   * @param resource capabilities and requirements
   * @param name symbolic name
   * @param version bundle version
   * @param file entry of the executable jar, or name of the deployed file
   * @param deployed deployed file, or null for a bundle of the distribution
   * @param bytes size
   * @param licenses names of the licenses in its manifest
   */
  record Item(
      Resource resource,
      String name,
      String version,
      String file,
      @Nullable Path deployed,
      long bytes,
      List<String> licenses) {}

  /** Returns the bundles of {@code home}; other files in its deploy folder are ignored. */
  static List<Item> of(RunningDistribution home) {
    List<Item> items = new ArrayList<>();
    try (JarFile jar = new JarFile(home.jar().toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().startsWith(FOLDER) && entry.getName().endsWith(".jar")) {
          try (InputStream in = jar.getInputStream(entry)) {
            add(items, manifest(in), entry.getName(), null, entry.getSize());
          }
        }
      }
      for (Path file : deployed(home.deploy())) {
        try (InputStream in = Files.newInputStream(file)) {
          add(items, manifest(in), file.getFileName().toString(), file, Files.size(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return items;
  }

  private static List<Path> deployed(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static @Nullable Manifest manifest(InputStream jar) throws IOException {
    try (JarInputStream in = new JarInputStream(jar, false)) {
      return in.getManifest();
    }
  }

  private static void add(
      List<Item> items,
      @Nullable Manifest manifest,
      String file,
      @Nullable Path place,
      long bytes) {
    ResourceBuilder builder = new ResourceBuilder();
    if (manifest != null && builder.addManifest(Domain.domain(manifest))) {
      Resource resource = builder.build();
      String name = ResourceUtils.getIdentity(resource);
      String version = ResourceUtils.getIdentityVersion(resource);
      String header = manifest.getMainAttributes().getValue("Bundle-License");
      List<String> licenses = List.copyOf(new Parameters(header).keySet());
      items.add(new Item(resource, name, version, file, place, bytes, licenses));
    }
  }
}
