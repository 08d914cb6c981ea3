package roll.assemble;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.option.UserException;
import roll.assemble.BundleResolver.Part;
import roll.runtime.config.LoadedConfig;
import roll.runtime.distribution.AssembledDistribution;
import roll.runtime.distribution.Assembler;
import roll.text.Suggestion;

/** Assembles a distribution from the bundles of the running one. */
@Component(name = "roll.assemble")
public final class BndAssembler implements Assembler {
  private static final String NATIVE = "native";

  /** An assembler of the distribution that is running. */
  @Activate
  public BndAssembler() {}

  @Override
  public AssembledDistribution assemble(
      LoadedConfig config, Path target, boolean jar, List<String> with) {
    return assemble(RunningDistribution.here(), config, target, jar, with);
  }

  static AssembledDistribution assemble(
      RunningDistribution home, LoadedConfig config, Path target, boolean jar, List<String> with) {
    Path folder = target.toAbsolutePath().normalize();
    Path archive = folder.resolveSibling(folder.getFileName() + ".zip");
    Path single = folder.resolveSibling(folder.getFileName() + ".jar");
    free(target, Stream.of(archive, single).limit(jar ? 2 : 1).toList());
    List<CapabilityNeed> needs = new ArrayList<>(ConfigNeeds.of(config));
    needs.addAll(ConfigNeeds.bundles(with));
    List<AvailableBundles.Item> stock = AvailableBundles.of(home);
    requireKnown(with, stock.stream().map(AvailableBundles.Item::name).toList());
    List<Part> parts = new BundleResolver(stock).resolve(needs);
    Path work = folder.resolveSibling(folder.getFileName() + ".partial");
    try {
      FileTrees.delete(work);
      PortableConfig portable = new PortableConfig(config);
      Path half = work.resolve("half.zip");
      Path built = Files.createDirectories(work.resolve(folder.getFileName()));
      fill(home, config, parts, portable, built);
      FileTrees.zip(built, folder.getFileName().toString(), half);
      if (jar) {
        Path whole = work.resolve("whole.jar");
        LauncherJar.write(home.jar(), items(parts), natives(built), whole);
        Files.move(whole, single);
      }
      Files.move(half, archive);
      Files.deleteIfExists(folder);
      Files.move(built, folder);
      return new AssembledDistribution(
          target,
          archive,
          jar ? single : null,
          items(parts).stream().map(AvailableBundles.Item::name).sorted().toList(),
          FileTrees.bytes(folder),
          portable.notices());
    } catch (IOException e) {
      throw new UserException("assemble: " + folder + " cannot be written: " + e.getMessage(), e);
    } finally {
      clean(work);
    }
  }

  private static void fill(
      RunningDistribution home,
      LoadedConfig config,
      List<Part> parts,
      PortableConfig portable,
      Path folder)
      throws IOException {
    Path jar = folder.resolve("roll.jar");
    LauncherJar.write(home.jar(), items(parts), Map.of(), jar);
    LicenseNotices notices = notices(jar, folder);
    for (String part : List.of("roll", "take-cuda", "build-jni", "etc", "deploy/README.md")) {
      FileTrees.copy(home.beside(part), folder.resolve(part), Set.of());
    }
    for (AvailableBundles.Item item : items(parts)) {
      Path deployed = item.deployed();
      if (deployed != null) {
        FileTrees.copy(deployed, folder.resolve("deploy").resolve(item.file()), Set.of());
      }
      if (item.name().equals("roll.djl")) {
        FileTrees.copy(home.beside(NATIVE), folder.resolve(NATIVE), Set.of());
      }
    }
    String name = config.file().getFileName().toString();
    portable.write(folder, name);
    Files.writeString(
        folder.resolve("README.txt"),
        DistributionPages.readme(config.onlySft() ? "sft" : "train", name));
    String page = DistributionPages.page(parts, notices, portable.places(), folder, name);
    Files.writeString(folder.resolve("CONTENTS.md"), page);
  }

  /** Copies the license texts of the jar next to it. */
  private static LicenseNotices notices(Path jar, Path folder) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        boolean texts = name.startsWith(LicenseNotices.TEXTS) && !entry.isDirectory();
        if (texts || name.equals(LicenseNotices.PAGE) || name.equals("LICENSE")) {
          Path file = folder.resolve(name);
          Files.createDirectories(file.getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, file);
          }
        }
      }
      return LicenseNotices.of(zip);
    }
  }

  private static List<AvailableBundles.Item> items(List<Part> parts) {
    return parts.stream().map(Part::item).toList();
  }

  private static Map<String, Path> natives(Path folder) throws IOException {
    Map<String, Path> entries = new LinkedHashMap<>();
    Path natives = folder.resolve(NATIVE);
    if (Files.isDirectory(natives)) {
      // a libtorch for CUDA, in sub-folders, is too large for a jar
      for (Path file : FileTrees.files(natives)) {
        if (natives.equals(file.getParent())) {
          entries.put(NATIVE + "/" + file.getFileName(), file);
        }
      }
    }
    return entries;
  }

  private static void requireKnown(List<String> requested, List<String> names) {
    for (String name : requested) {
      if (!names.contains(name)) {
        throw new UserException(
            "assemble: --with: this distribution has no bundle '"
                + name
                + "'"
                + Suggestion.near(name, names));
      }
    }
  }

  /** Checks that nothing would be overwritten. */
  private static void free(Path target, List<Path> files) {
    for (Path file : files) {
      if (Files.exists(file)) {
        throw new UserException("assemble: " + file + " already exists");
      }
    }
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new UserException("assemble: " + target + " is a file: expected a new or empty folder");
    }
    try (Stream<Path> entries = Files.list(target)) {
      if (entries.findAny().isPresent()) {
        throw new UserException("assemble: the folder " + target + " is not empty");
      }
    } catch (IOException e) {
      throw new UserException("assemble: " + target + " cannot be read", e);
    }
  }

  private static void clean(Path work) {
    try {
      FileTrees.delete(work);
    } catch (IOException e) {
      // a .partial folder is left next to the target
    }
  }
}
