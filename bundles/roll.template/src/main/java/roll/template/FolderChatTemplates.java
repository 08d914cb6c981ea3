package roll.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.model.ChatTemplate;
import roll.api.model.ChatTemplates;
import roll.api.option.UserException;

/**
 * Finds chat templates where transformers does: {@code chat_template.jinja} and the files in {@code
 * additional_chat_templates}, otherwise {@code chat_template} of {@code tokenizer_config.json},
 * which is a text or a list of named ones.
 */
@Component(name = "roll.template")
public final class FolderChatTemplates implements ChatTemplates {
  private static final String EXTENSION = ".jinja";

  @Override
  public ChatTemplate load(Path place, Clock clock) {
    if (Files.isRegularFile(place)) {
      return new JinjaChatTemplate(Map.of("default", source(place)), Map.of(), clock);
    }
    if (!Files.isDirectory(place)) {
      throw new UserException(place + ": there is no such file or folder");
    }
    Path file = place.resolve("tokenizer_config.json");
    Map<String, @Nullable Object> config = JsonFile.object(file);
    Map<String, TemplateSource> sources = files(place);
    if (sources.isEmpty()) {
      sources = configured(file, config.get("chat_template"));
    }
    if (sources.isEmpty()) {
      throw new UserException(
          place
              + ": has no chat template: neither chat_template.jinja nor chat_template in"
              + " tokenizer_config.json");
    }
    return new JinjaChatTemplate(sources, TemplateTokens.of(place, config), clock);
  }

  private static Map<String, TemplateSource> files(Path folder) {
    Map<String, TemplateSource> sources = new LinkedHashMap<>();
    Path main = folder.resolve("chat_template" + EXTENSION);
    if (Files.isRegularFile(main)) {
      sources.put("default", source(main));
    }
    Path more = folder.resolve("additional_chat_templates");
    if (Files.isDirectory(more)) {
      try (Stream<Path> found = Files.list(more)) {
        for (Path file : found.filter(f -> f.toString().endsWith(EXTENSION)).sorted().toList()) {
          String name = file.getFileName().toString();
          sources.put(name.substring(0, name.length() - EXTENSION.length()), source(file));
        }
      } catch (IOException e) {
        throw new UserException(more + ": cannot be read", e);
      }
    }
    return sources;
  }

  private static TemplateSource source(Path file) {
    return TemplateSource.of(file.toString(), JsonFile.text(file));
  }

  private static Map<String, TemplateSource> configured(Path file, @Nullable Object value) {
    String where = file + ": chat_template";
    Map<String, TemplateSource> sources = new LinkedHashMap<>();
    switch (value) {
      case null -> {}
      case String text -> sources.put("default", TemplateSource.of(where, text));
      case List<?> named -> {
        for (Object one : named) {
          if (!(one instanceof Map<?, ?> map
              && map.get("name") instanceof String name
              && map.get("template") instanceof String text)) {
            throw new UserException(where + ": expected entries with name and template");
          }
          sources.put(name, TemplateSource.of(where + " '" + name + "'", text));
        }
      }
      case Map<?, ?> named ->
          named.forEach(
              (name, text) ->
                  sources.put(
                      String.valueOf(name),
                      TemplateSource.of(where + " '" + name + "'", String.valueOf(text))));
      default -> throw new UserException(where + ": expected a text or a list of named ones");
    }
    return sources;
  }
}
