package roll.config.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * A file together with the files of its {@code defaults:} list, merged at the root: mappings are
 * merged key by key, everything else is replaced; later entries win, and the file itself comes last
 * unless the list has {@code _self_} at another position. A file of such a list may be empty, and
 * verl's own trainer files may be missing: their values are the defaults.
 *
 * @param tree keys of all files, still with interpolations
 * @param origins where each key was written
 * @param inherited top-level keys that come from a file of a {@code defaults:} list
 */
public record Composition(
    Map<String, @Nullable Object> tree, KeyOrigins origins, Set<String> inherited) {
  private static final String ALLOWED =
      "(allowed: a relative path such as ../config/traj_envs@_here_, or _self_)";

  /** verl's own files, which its examples find on a search path. */
  private static final Pattern VERL =
      Pattern.compile("(?:one_step_off_|fully_async_)?ppo(?:_megatron)?_trainer");

  /**
   * Reads the configuration {@code file} and merges it with the files of its {@code defaults} list.
   *
   * @throws UserException if a file is missing, is not a mapping, or builds on itself
   */
  public static Composition of(Path file) {
    return new Reading().of(file, List.of());
  }

  /** Returns an empty composition, of no file. */
  public static Composition empty() {
    return new Composition(
        new LinkedHashMap<>(), new KeyOrigins("command line"), new LinkedHashSet<>());
  }

  /** Reads configuration files with their {@code defaults} lists, and counts them. */
  private static final class Reading {
    private int files;
    private int values;

    private Composition of(Path file, List<Path> chain) {
      Path normal = file.toAbsolutePath().normalize();
      if (chain.contains(normal)) {
        throw new UserException(chain.getLast() + ": defaults: '" + file + "' builds on itself");
      }
      if (++files > ConfigSizeLimits.FILES) {
        throw new UserException(
            file + ": defaults: more than " + ConfigSizeLimits.FILES + " files");
      }
      YamlReader.Document document = YamlReader.read(file);
      values += document.values();
      if (values > ConfigSizeLimits.VALUES) {
        throw new UserException(
            file + ": defaults: more than " + ConfigSizeLimits.VALUES + " values");
      }
      boolean nothing = document.root() == null && !chain.isEmpty();
      Map<String, @Nullable Object> own =
          nothing ? new LinkedHashMap<>() : YamlTree.mapping(document.root());
      if (own == null) {
        throw new UserException(
            file
                + (document.root() == null
                    ? ": the file is empty"
                    : ": expected a mapping of keys"));
      }
      Composition composed =
          new Composition(
              new LinkedHashMap<>(), new KeyOrigins(file.toString()), new LinkedHashSet<>());
      List<Path> deeper = new ArrayList<>(chain);
      deeper.add(normal);
      Object defaults = own.remove("defaults");
      List<String> entries = entries(document.origins().of("defaults"), defaults);
      for (String entry : entries) {
        if (entry.equals("_self_")) {
          composed.merge(own, document.origins());
        } else if (VERL.matcher(entry).matches() && there(file, entry).isEmpty()) {
          composed.merge(verl(entry), new KeyOrigins(file + ": defaults: " + entry));
        } else {
          Composition base =
              of(found(document.origins().of("defaults"), file, entry), List.copyOf(deeper));
          composed.merge(base.tree, base.origins);
          composed.inherited.addAll(base.tree.keySet());
        }
      }
      return composed;
    }
  }

  private static List<String> entries(String where, @Nullable Object defaults) {
    List<String> entries = new ArrayList<>();
    List<@Nullable Object> list = defaults == null ? new ArrayList<>() : YamlTree.list(defaults);
    if (list == null) {
      throw new UserException(
          where + ": defaults: expected a list, found " + YamlTree.shown(defaults));
    }
    for (Object entry : list) {
      if (!(entry instanceof String text) || text.matches("/.*|(optional|override) .*")) {
        throw new UserException(where + ": defaults: '" + entry + "' is not supported " + ALLOWED);
      }
      String path = text.endsWith("@_here_") ? text.substring(0, text.length() - 7) : text;
      if (path.contains("@") || path.contains("${")) {
        throw new UserException(where + ": defaults: '" + text + "' is not supported " + ALLOWED);
      }
      entries.add(path);
    }
    if (!entries.contains("_self_")) {
      entries.add("_self_");
    }
    return entries;
  }

  /** Values of verl's file of that name that are not our defaults. */
  private static Map<String, @Nullable Object> verl(String name) {
    String strategy = name.contains("megatron") ? "megatron" : "fsdp";
    Map<String, @Nullable Object> actor = new LinkedHashMap<>(Map.of("strategy", strategy));
    Map<String, @Nullable Object> role = new LinkedHashMap<>(Map.of("actor", actor));
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(Map.of("actor_rollout_ref", role));
    if (name.startsWith("one_step_off")) {
      tree.put("rollout", new LinkedHashMap<>(Map.of("nnodes", 1)));
    } else if (name.startsWith("fully_async")) {
      tree.put("async_training", new LinkedHashMap<>(Map.of("require_batches", 1)));
    }
    return tree;
  }

  private static Optional<Path> there(Path file, String entry) {
    Path sibling = file.resolveSibling(entry);
    String name = String.valueOf(sibling.getFileName());
    return Stream.of(name + ".yaml", name + ".yml", name)
        .map(sibling::resolveSibling)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private static Path found(String where, Path file, String entry) {
    Path sibling = file.resolveSibling(entry);
    Path folder = sibling.toAbsolutePath().normalize().getParent();
    return there(file, entry)
        .orElseThrow(
            () ->
                new UserException(
                    where
                        + ": defaults: no file '"
                        + sibling.normalize()
                        + ".yaml'"
                        + Suggestion.near(
                            String.valueOf(sibling.getFileName()),
                            folder == null ? List.of() : names(folder))))
        .normalize();
  }

  private static List<String> names(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(path -> String.valueOf(path.getFileName()).replaceFirst("\\.ya?ml$", ""))
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of(); // only a suggestion is lost
    }
  }

  private void merge(Map<String, @Nullable Object> later, KeyOrigins places) {
    merge(tree, later, "");
    origins.putAll(places);
  }

  private void merge(
      Map<String, @Nullable Object> into, Map<String, @Nullable Object> later, String path) {
    later.forEach(
        (key, value) -> {
          Map<String, @Nullable Object> old = YamlTree.mapping(into.get(key));
          Map<String, @Nullable Object> young = YamlTree.mapping(value);
          if (old != null && young != null) {
            merge(old, young, path + key + ".");
          } else {
            origins.forget(path + key);
            into.put(key, value);
          }
        });
  }
}
