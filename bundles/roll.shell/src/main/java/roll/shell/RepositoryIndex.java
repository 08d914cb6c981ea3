package roll.shell;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.osgi.framework.Version;
import roll.api.option.UserException;

/** The index of an OSGi repository (OSGi Compendium 8, section 132.5), in a folder or at a URL. */
final class RepositoryIndex {
  private static final String FILE = "index.xml";
  private static final String IDENTITY = "osgi.identity";
  private static final int MAX_BYTES = 64 << 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private RepositoryIndex() {}

  /** Returns the newest version of each bundle in the index at a URL. */
  static Map<String, Version> at(String address) throws InterruptedException {
    String file = address.endsWith(".xml") ? address : address.replaceFirst("/*$", "/" + FILE);
    try (HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(TIMEOUT)
            .build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(file)).timeout(TIMEOUT).build();
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw new UserException(file + ": the server answers " + response.statusCode());
        }
        return read(file, body);
      }
    } catch (IllegalArgumentException e) {
      throw new UserException(file + ": not an address: " + e.getMessage(), e);
    } catch (ConnectException e) {
      throw new UserException(file + ": cannot be read: no connection", e);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + e, e);
    }
  }

  /** Returns the newest version of each bundle in an index file, or in a folder's index.xml. */
  static Map<String, Version> in(Path place) {
    Path file = Files.isDirectory(place) ? place.resolve(FILE) : place;
    if (!Files.isRegularFile(file)) {
      throw new UserException(file + ": no such file; expected the index of an OSGi repository");
    }
    try (InputStream content = Files.newInputStream(file)) {
      return read(file.toString(), content);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static Map<String, Version> read(String name, InputStream content) throws IOException {
    byte[] bytes = content.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new UserException(name + ": more than " + MAX_BYTES + " bytes");
    }
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try {
      return versions(name, factory.createXMLStreamReader(new ByteArrayInputStream(bytes)));
    } catch (XMLStreamException | IllegalArgumentException e) {
      throw new UserException(
          name
              + ": not the index of an OSGi repository: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          e);
    }
  }

  private static Map<String, Version> versions(String name, XMLStreamReader xml)
      throws XMLStreamException {
    Map<String, Version> newest = new TreeMap<>();
    xml.nextTag();
    if (!xml.getLocalName().equals("repository")) {
      throw new UserException(
          name + ": not the index of an OSGi repository, but a <" + xml.getLocalName() + ">");
    }
    boolean identity = false;
    Map<String, String> attributes = new TreeMap<>();
    while (xml.next() != XMLStreamConstants.END_DOCUMENT) {
      if (xml.isStartElement() && xml.getLocalName().equals("capability")) {
        identity = IDENTITY.equals(xml.getAttributeValue(null, "namespace"));
        attributes.clear();
      } else if (xml.isStartElement() && identity && xml.getLocalName().equals("attribute")) {
        attributes.put(
            String.valueOf(xml.getAttributeValue(null, "name")),
            String.valueOf(xml.getAttributeValue(null, "value")));
      } else if (xml.isEndElement() && identity && xml.getLocalName().equals("capability")) {
        identity = false;
        Version version = Version.parseVersion(attributes.get("version"));
        newest.merge(
            String.valueOf(attributes.get(IDENTITY)),
            version,
            (one, other) -> NewerVersions.ORDER.compare(one, other) < 0 ? other : one);
      }
    }
    return newest;
  }
}
